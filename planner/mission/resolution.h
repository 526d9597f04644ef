#pragma once

#include <vector>

#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "planner/mission/request.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// A mission that has met its environment.
struct ResolvedMission {
  Mission mission;
  std::vector<Action> actions;
  PositionRule rule;

  PlanningProblem problem() const { return {actions, mission, rule}; }
};

/// Judges a mission against its environment and turns places into cells, times into levels.
/// Errors: InputError in one line for what cannot be: a start or target outside the grid, a start
/// on a closed cell at the departure, a target closed at every level in question, a departure or
/// horizon beyond the last level, net_energy without a scalar field, a displacement that is too
/// far, rewards that single precision cannot add up.
ResolvedMission resolve_mission(const RunRequest& file, const EnvironmentReader& environment);

/// What the rewards of a mission may add up to, so that sums over realizations stay in single
/// precision.
double most_reward(const EnvironmentInfo& info, const PositionRule& rule);

/// The vehicle's actions on a grid; part of the above. Errors: InputError as there.
std::vector<Action> resolve_actions(const RunRequest& file, const EnvironmentInfo& info);

/// How landings are given to cells; part of the above. Errors: InputError for more realizations
/// than can be counted.
PositionRule resolve_rule(const RunRequest& file, const EnvironmentInfo& info);

/// Realizations that a rollout flies through, by number. Errors: InputError when the environment
/// has fewer.
std::vector<std::int32_t> resolve_realizations(const RunRequest& file, const EnvironmentInfo& info);

}  // namespace tidewise
