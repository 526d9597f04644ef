#pragma once

namespace tidewise {

/// Raises the limit of open files to what the system allows this process: a batch's pass holds a
/// few for each of its missions, and systems start with 1024.
void raise_open_file_limit();

/// Reports a stack too small to work with on stderr and returns false: overrunning it would end the
/// process without a word. Threads get stacks of the same size.
bool has_enough_stack();

}  // namespace tidewise
