#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solver/step/planning_problem.h"
#include "solver/step/reward.h"

namespace tidewise {

/// Rewards that depend only on the action (docs/model.md, 3.4). Actions with equal rewards form a
/// kind; one outcome table serves all actions of a kind.
struct ActionRewards {
  std::vector<float> kind;            ///< the distinct rewards, (kind)
  std::vector<std::int32_t> kind_of;  ///< index into `kind`, (action)

  /// A table without actions.
  ActionRewards() = default;
  /// `step`: Δt [s or 1].
  ActionRewards(const PlanningProblem& problem, double step) {
    const Mission& mission = problem.mission;
    for (const auto& action : problem.actions) {
      const float reward =
          action_reward(mission.objective, mission.energy_on(action.profile), action.speed, step);
      const auto position = std::find(kind.begin(), kind.end(), reward);
      kind_of.push_back(static_cast<std::int32_t>(position - kind.begin()));
      if (position == kind.end()) kind.push_back(reward);
    }
  }
};

}  // namespace tidewise
