#include "mdp/divided/block_division.h"

#include <algorithm>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {

BlockDivision divide_states(std::int32_t state_count, const BlockOptions& options) {
  constexpr std::int32_t default_states = 256;
  if (options.states < 0 || options.states > max_block_states) {
    throw input_error(errors::block_states_invalid, options.states, max_block_states);
  }
  const auto require_at_least = [](const char* what, std::int32_t value, std::int32_t min) {
    if (value < min) throw input_error(errors::block_option_too_small, what, value, min);
  };
  require_at_least("sweeps", options.sweeps, 1);
  require_at_least("states-per-thread", options.states_per_thread, 1);
  require_at_least("changed-states", options.changed_states, 0);
  const std::int32_t wanted = options.states == 0 ? default_states : options.states;
  const std::int32_t states = std::min(wanted, state_count);
  if (prioritises(options.variant) &&
      priority_bytes(states, options.states_per_thread, sizeof(double)) > max_scratch_bytes) {
    throw input_error(errors::block_scratch_exceeded, states, options.states_per_thread,
                      max_scratch_bytes);
  }
  return {state_count, states};
}

}  // namespace tidewise::mdp
