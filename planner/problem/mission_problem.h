#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "env/file/reader.h"
#include "output/run/summary.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "planner/mission/resolve/resolution.h"
#include "solver/fly/rollout.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// A mission that was validated with its environment, and all inputs of its solve and flights.
struct MissionProblem : ResolvedMission {
  /// Validates the mission and writes no file. `shared`: a context that was made for a mission with
  /// the same environment, vehicle and planner; if null, the mission opens its own. Errors:
  /// InputError for an invalid mission.
  explicit MissionProblem(RunRequest requested, std::shared_ptr<PlanningContext> shared = nullptr);
  MissionProblem(const MissionProblem&) = delete;
  MissionProblem& operator=(const MissionProblem&) = delete;

  const EnvironmentReader& environment() const { return context->environment(); }
  const EnvironmentInfo& info() const { return environment().info(); }
  /// True if the mission requests flights.
  bool flies() const { return request.rollout.mode != RolloutChoice::none; }
  /// Maximum number of simultaneous flights, of the plan or of baseline controllers.
  std::size_t max_flights() const;
  /// Chooses the start with the greatest value if there are several; the first of equal ones.
  void choose_start(const PolicySource& policy) { start_best(info().grid, policy); }

  Stopwatch since_begin;
  RunRequest request;  ///< with explicit values in place of defaults
  std::shared_ptr<PlanningContext> context;
  RolloutOptions rollout;         ///< options of the mission's flights
  std::vector<double> deadlines;  ///< times after departure by which arrivals are counted [s or 1]
  std::string echo;               ///< the request in TOML
};

/// Warnings about the mission (planner/mission/resolve/validation.h).
std::vector<std::string> warnings_of(const MissionProblem& problem);

/// Refuse an action hold, a vehicle error, or station keeping and target following; `what` is the
/// reason. Errors: InputError.
void refuse_held(const MissionProblem& problem, const char* what);
void refuse_vehicle_error(const RunRequest& request, const char* what);
void refuse_keeping(const MissionProblem& problem, const char* what);

/// Returns the places and times of the mission.
RunPlaces places_of(const MissionProblem& problem);

/// Returns a summary with the entries known before the run.
RunSummary begin_summary(const MissionProblem& problem);

}  // namespace tidewise
