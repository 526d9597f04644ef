#include "solver/induction/non_terminal_states.h"

#include <vector>

#include "solver/step/boundary.h"

namespace tidewise {

OpenStates count_open_states(const EnvironmentReader& environment, const Mission& mission,
                             const PolicySource& policy) {
  const EnvironmentInfo& info = environment.info();
  std::vector<std::int16_t> action(static_cast<std::size_t>(info.grid.cell_count()));
  std::vector<std::uint8_t> masked;
  OpenStates states;
  for (TimeLevel k = mission.departure; k < mission.last; ++k.value) {
    policy.read_action(k, action);
    if (masked.empty() || info.obstacles == Obstacles::moving) masked = environment.read_masked(k);
    for (std::size_t cell = 0; cell < action.size(); ++cell) {
      if (!is_non_terminal(masked[cell] != 0, mission.target[cell] != 0)) continue;
      ++states.count;
      if (action[cell] == no_action) ++states.without_action;
    }
  }
  return states;
}

}  // namespace tidewise
