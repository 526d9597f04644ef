#pragma once

namespace tidewise {

/// Raises the limit of open files to what the system allows this process: a batch's pass holds a
/// few for each of its missions, and systems start with 1024.
void raise_open_file_limit();

/// Reports a stack too small to work with on stderr and returns false: an overflow would end the
/// process without a message. Threads get stacks of the same size.
bool has_enough_stack();

/// Starts this program again with the environment variable GOMP_SPINCOUNT, unless it or
/// OMP_WAIT_POLICY is set. GCC's OpenMP threads spin for a millisecond at a barrier before they
/// sleep, which doubles the time of a plan where other programs use the cores. OpenMP reads the
/// variable when it is loaded, before main(). Returns if the program cannot be started again.
void shorten_spins(char** argv);

}  // namespace tidewise
