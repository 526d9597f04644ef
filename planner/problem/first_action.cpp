#include "planner/problem/first_action.h"

#include <cstdint>
#include <vector>

#include "env/units/meridian_convergence.h"

namespace tidewise {

std::optional<FirstAction> first_action(const MissionProblem& problem, const PolicySource& policy) {
  const EnvironmentInfo& info = problem.info();
  const Mission& mission = problem.mission;
  std::vector<std::int16_t> action_plane(static_cast<std::size_t>(info.grid.cell_count()));
  policy.read_action(mission.departure, action_plane);
  const std::int16_t index = action_plane[static_cast<std::size_t>(mission.start.value)];
  if (index == no_action) return std::nullopt;
  const Action& action = problem.actions[static_cast<std::size_t>(index)];
  FirstAction first{action.heading, action.speed, {}, {}};
  if (!info.profiles.empty()) {
    first.profile = info.profiles[static_cast<std::size_t>(action.profile)];
  }
  if (info.coordinates == Coordinates::geographic && action.speed > 0) {
    const MeridianConvergence convergence(info.grid, problem.environment().read_longitude(),
                                          problem.environment().read_latitude());
    first.bearing = true_bearing(action.heading, convergence.at(mission.start_x, mission.start_y));
  }
  return first;
}

}  // namespace tidewise
