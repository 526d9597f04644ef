#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tidewise {

/// Number of cores that this process may use.
std::int32_t core_count();

/// Threads that read ahead: half the number of cores, 1 to 6. More do not increase speed.
std::size_t reading_threads();

/// Number of compute threads of a command: `requested`, or one per core if that is 0. Starts them
/// once (prepare_threads), including those for reading and writing. `place`: the beginning of
/// messages, e.g. "--threads". Errors: InputError for more than 256 threads if that is more than
/// four per core; RunError if they cannot be started.
std::int32_t take_threads(std::int32_t requested, const std::string& place);

/// As take_threads(), for commands without the option: as many as OpenMP uses, OMP_NUM_THREADS or
/// one per core. Errors: as above.
void take_default_threads();

}  // namespace tidewise
