#pragma once

#include <cstdint>
#include <string>

namespace tidewise::mdp {

/// Refuses a process with far more rows, states × actions, than the `listed` actions of its file
/// need: a few lines that claim a billion states must not take the memory for them. `place`: file,
/// and line where there is one. Errors: InputError.
void require_rows_in_proportion(const std::string& place, std::int64_t states, std::int64_t actions,
                                std::int64_t listed);

}  // namespace tidewise::mdp
