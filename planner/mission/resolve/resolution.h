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

/// A mission with places as cells and times as levels of its environment.
struct ResolvedMission {
  Mission mission;
  std::vector<Action> actions;
  PositionRule rule;
  /// Possible starts, which are open at the departure. The mission starts at one of them; the best
  /// of several is known only after solving.
  std::vector<PlanePoint> starts;
  /// Possible ends: the target's points, or the centres of its area's cells.
  std::vector<PlanePoint> targets;
  /// For each via point: its points, or the centres of its area's cells.
  std::vector<std::vector<PlanePoint>> via;
  /// Description of the file that the mission follows, if it follows one.
  std::optional<RunFollowed> followed;
  /// Adjusted inputs, one line each: dates between levels, starts on land.
  std::vector<std::string> notes;

  /// Sets the start to one of `starts` and the end to the nearest of `targets`.
  void start_from(const Grid& grid, const PlanePoint& start);
  /// Sets the start to the one with the highest value of the policy; of equal values, to the first.
  void start_best(const Grid& grid, const PolicySource& policy);

  PlanningProblem planning_problem() const { return {actions, mission, rule}; }
};

/// Validates a mission with the environment from open_environment(), and converts places to
/// cells and times to levels. Errors: InputError in one line for an invalid mission: a start or
/// target outside the grid, a start on a closed cell at the departure, a target closed at every
/// level in question, a departure or horizon beyond the last level, net_energy without a scalar
/// field, a displacement that is too long, rewards too large for single precision.
ResolvedMission resolve_mission(const RunRequest& request, const EnvironmentReader& environment);

/// Returns the place of a mission whose objective keeps(), for any departure; resolve_mission()
/// uses it. Errors: InputError for an invalid place.
KeptPlace resolve_kept_place(const RunRequest& request, const EnvironmentReader& environment);

/// Returns the cost of a mission's costliest step, 0 or more. `step`: Δt [s or 1].
double costliest_step(const Mission& mission, const std::vector<Action>& actions, double step);

/// Returns the greatest sum of a mission's rewards for which sums over realizations stay in single
/// precision.
double max_reward(const EnvironmentInfo& info, const PositionRule& rule);

/// The vehicle's own error, with the seed of the mission's flights.
VehicleError vehicle_error(const RunRequest& request);

/// Returns the vehicle's actions on a grid, as in resolve_mission(), with the same errors.
std::vector<Action> resolve_actions(const RunRequest& request, const EnvironmentInfo& info);

/// Returns the assignment of positions to cells, as in resolve_mission(). Errors: InputError for
/// more realizations than can be counted.
PositionRule resolve_rule(const RunRequest& request, const EnvironmentInfo& info);

/// Returns the numbers of the realizations that a rollout flies through. Errors: InputError when
/// the environment has fewer.
std::vector<std::int32_t> resolve_realizations(const RunRequest& request,
                                               const EnvironmentInfo& info);

}  // namespace tidewise
