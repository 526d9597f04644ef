#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/file/atomic_file.h"
#include "base/progress.h"
#include "output/run/policy_difference.h"
#include "output/run/policy_file.h"
#include "output/run/recommendation.h"
#include "planner/mission/request.h"
#include "planner/problem/mission_problem.h"
#include "solver/fly/rollout_statistics.h"
#include "tidewise/policy.h"

namespace tidewise {

/// A run as it lies on disk: what 'tidewise plan' left.
struct ComparedRun {
  std::string name;  ///< as the user typed it
  PolicyFile policy;
  RunRequest request;
  nlohmann::ordered_json summary;
};

/// A key that differs between two missions, with both values.
struct MissionDifference {
  std::string key;               ///< "mission.objective"
  nlohmann::ordered_json first;  ///< null where it has no such key
  nlohmann::ordered_json second;
};

/// Keys in which the resolved missions of two runs differ, in the order of the first.
std::vector<MissionDifference> mission_differences(const ComparedRun& first,
                                                   const ComparedRun& second);

/// The outcome of a plan in one forecast.
struct PlanOutcome {
  ExpectedOutcome expected;                  ///< exact, on the model
  std::optional<RolloutStatistics> rollout;  ///< where it was flown
  std::optional<FirstAction> first = {};     ///< of an old plan, where it has an action
};

/// Two plans in the second one's forecast, from its start at its departure, by its rewards.
struct PlanCost {
  PlanOutcome own;          ///< of the plan that was made for it
  PlanOutcome old;          ///< of the first run's plan
  PolicyCoverage coverage;  ///< states of the comparison for which the old plan has an action
  std::string warning;      ///< of validate_own_environment(); else empty
};

/// The differences of a run from the reference run.
struct RunComparison {
  std::vector<MissionDifference> mission;
  PolicyAlignment alignment;
  PolicyDifference policy;
  std::optional<PlanCost> cost;
  Grid grid;                           ///< of the second run
  TimeAxis time;                       ///< of the second run
  std::optional<double> origin;        ///< that its times count from [s since 1970], if any
  std::vector<double> longitude = {};  ///< of its cell centres [degrees], (y, x); empty: none
  std::vector<double> latitude = {};
};

/// Computation of the cost of keeping the old plan.
enum class CostOfOldPlan { none, expected, flown };

/// Compares `second` with `first`; the differences go into the file `fields` too, which is left to
/// be committed, unless it is null. The cost needs the second run's environment.
/// Errors: InputError where the runs cannot be compared (align_policies()) or the environment is
/// not that of the run.
RunComparison compare_runs(const ComparedRun& first, const ComparedRun& second, CostOfOldPlan cost,
                           AtomicFile* fields, Progress& progress);

/// Compares a replanned run with the run before it, `first`, when `passed` of its via points had
/// been passed. `second`: the new run; `run`: the same, ready to fly; `own`: the outcome of its
/// plan, flown or not. The old plan is flown if the new one was, and `old_flights` are its flights.
/// The result has a cost. Errors: as above.
RunComparison compare_with_before(const ComparedRun& first, std::size_t passed,
                                  const ComparedRun& second, const MissionProblem& run,
                                  PlanOutcome own, RolloutResult& old_flights, Progress& progress);

}  // namespace tidewise
