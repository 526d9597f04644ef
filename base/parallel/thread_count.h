#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tidewise {

/// Cores of this machine, or of the share of it that this process may use.
std::int32_t core_count();

/// Threads that read ahead of others: one for two cores, 1 to 6. More bring no speed.
std::size_t reading_threads();

/// The threads that a command computes with: `asked`, or one a core where that is 0. They are
/// started here once (prepare_threads), with those beside them that read and write meanwhile.
/// `place`: what messages begin with, e.g. "--threads". Errors: InputError where so many are asked
/// for that they would only be in each other's way here; RunError where they cannot be started.
std::int32_t take_threads(std::int32_t asked, const std::string& place);

/// The same for commands without the option, which take what OpenMP does: OMP_NUM_THREADS, or one a
/// core. Errors: as above.
void take_default_threads();

}  // namespace tidewise
