#include "mdp/divided/block_division.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tidewise::mdp {

BlockDivision divide_states(std::int32_t state_count, const SolveOptions& options) {
  constexpr std::int32_t own_choice = 256;
  if (options.block_states < 0 || options.block_states > most_block_states) {
    throw InputError(fmt::format(
        "block-divided: a block of {} states; give one of 1 to {}, what a GPU keeps in shared "
        "memory, or 0 for the method's own choice",
        options.block_states, most_block_states));
  }
  if (options.block_sweeps < 1) {
    throw InputError(fmt::format("block-divided: {} sweeps within a block; give one at least",
                                 options.block_sweeps));
  }
  const std::int32_t wanted = options.block_states == 0 ? own_choice : options.block_states;
  return {state_count, std::min(wanted, state_count)};
}

}  // namespace tidewise::mdp
