#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/points.h"
#include "model_builder/step/actions.h"
#include "output/run/followed.h"
#include "planner/mission/request.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// A mission that has met its environment.
struct ResolvedMission {
  Mission mission;
  std::vector<Action> actions;
  PositionRule rule;
  /// Possible starts, open at the departure. The mission starts with one of them; of several the
  /// best is known only after solving.
  std::vector<PlanePoint> starts;
  /// Possible ends: the target's points, or the centres of its area's cells.
  std::vector<PlanePoint> targets;
  /// Each place to pass: its points, or the centres of its area's cells.
  std::vector<std::vector<PlanePoint>> via;
  /// Description of the file that the mission follows, if it follows one.
  std::optional<RunFollowed> followed;
  /// Adjusted inputs, a line each: dates between levels, starts on land.
  std::vector<std::string> notes;

  /// Lets the mission start from one of `starts`, and aim at the nearest of `targets`.
  void start_from(const Grid& grid, const PlanePoint& start);
  /// Lets it start from that of them which the policy values most, the first of equals.
  void start_best(const Grid& grid, const PolicySource& policy);

  PlanningProblem planning_problem() const { return {actions, mission, rule}; }
};

/// Judges a mission against its environment, as open_environment() gives it, and turns places into
/// cells, times into levels. Errors: InputError in one line for what cannot be: a start or target
/// outside the grid, a start on a closed cell at the departure, a target closed at every level in
/// question, a departure or horizon beyond the last level, net_energy without a scalar field, a
/// displacement that is too far, rewards that single precision cannot add up.
ResolvedMission resolve_mission(const RunRequest& request, const EnvironmentReader& environment);

/// The place of a mission whose objective keeps(), for any departure; part of resolve_mission().
/// Errors: InputError for an invalid place.
KeptPlace resolve_kept_place(const RunRequest& request, const EnvironmentReader& environment);

/// Cost of a mission's costliest step, 0 or more. `step`: Δt [s or 1].
double costliest_step(const Mission& mission, const std::vector<Action>& actions, double step);

/// The greatest sum of a mission's rewards for which sums over realizations stay in single
/// precision.
double max_reward(const EnvironmentInfo& info, const PositionRule& rule);

/// The vehicle's own error, with the seed of the mission's flights.
VehicleError vehicle_error(const RunRequest& request);

/// The vehicle's actions on a grid; part of the above. Errors: InputError as there.
std::vector<Action> resolve_actions(const RunRequest& request, const EnvironmentInfo& info);

/// The assignment of positions to cells; part of the resolved mission. Errors: InputError for more
/// realizations than can be counted.
PositionRule resolve_rule(const RunRequest& request, const EnvironmentInfo& info);

/// Realizations that a rollout flies through, by number. Errors: InputError when the environment
/// has fewer.
std::vector<std::int32_t> resolve_realizations(const RunRequest& request,
                                               const EnvironmentInfo& info);

}  // namespace tidewise
