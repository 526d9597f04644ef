#include "solver/step/action_rewards.h"

#include <algorithm>

#include "solver/step/reward.h"

namespace tidewise {

ActionRewards::ActionRewards(const PlanningProblem& problem, double step) {
  const Mission& mission = problem.mission;
  for (const auto& action : problem.actions) {
    const float reward =
        action_reward(mission.objective, mission.energy_on(action.profile), action.speed, step);
    const auto known = std::find(kind.begin(), kind.end(), reward);
    kind_of.push_back(static_cast<std::int32_t>(known - kind.begin()));
    if (known == kind.end()) kind.push_back(reward);
  }
}

}  // namespace tidewise
