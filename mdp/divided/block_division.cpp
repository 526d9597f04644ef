#include "mdp/divided/block_division.h"

#include <algorithm>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {

BlockDivision divide_states(std::int32_t state_count, const SolveOptions& options) {
  constexpr std::int32_t own_choice = 256;
  if (options.block_states < 0 || options.block_states > most_block_states) {
    throw input_error(errors::block_states_invalid, options.block_states, most_block_states);
  }
  if (options.block_sweeps < 1) {
    throw input_error(errors::block_sweeps_invalid, options.block_sweeps);
  }
  const std::int32_t wanted = options.block_states == 0 ? own_choice : options.block_states;
  return {state_count, std::min(wanted, state_count)};
}

}  // namespace tidewise::mdp
