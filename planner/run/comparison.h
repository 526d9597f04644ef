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

/// A run folder of 'tidewise plan'.
struct ComparedRun {
  std::string name;  ///< name that the user typed
  PolicyFile policy;
  RunRequest request;
  nlohmann::ordered_json summary;
};

/// A key that differs between two missions, with both values.
struct MissionDifference {
  std::string key;               ///< "mission.objective"
  nlohmann::ordered_json first;  ///< null if it does not have the key
  nlohmann::ordered_json second;
};

/// Keys in which the resolved missions of two runs differ, in the order of `first`.
std::vector<MissionDifference> mission_differences(const ComparedRun& first,
                                                   const ComparedRun& second);

/// The outcome of a plan in one forecast.
struct PlanOutcome {
  ExpectedOutcome expected;                  ///< model estimate
  std::optional<RolloutStatistics> rollout;  ///< if flights were simulated
  std::optional<FirstAction> first = {};     ///< first action of an old plan, if it has one there
};

/// The outcomes of two plans for the second run's mission: in its forecast, from its start and
/// departure, and with its rewards.
struct PlanCost {
  PlanOutcome own;          ///< outcome of the second run's plan
  PlanOutcome old;          ///< outcome of the first run's plan
  PolicyCoverage coverage;  ///< states of the comparison for which the old plan has an action
  std::string warning;      ///< warning of validate_own_environment(), or empty
};

/// The differences of a run from the reference run.
struct RunComparison {
  std::vector<MissionDifference> mission;
  PolicyAlignment alignment;
  PolicyDifference policy;
  std::optional<PlanCost> cost;
  Grid grid;                     ///< grid of the second run
  TimeAxis time;                 ///< times of the second run
  std::optional<double> origin;  ///< origin of `time` [s since 1970], if it has dates
  std::vector<double> longitude =
      {};                             ///< longitudes of cell centres [degrees], (y, x); empty: none
  std::vector<double> latitude = {};  ///< as `longitude`
};

/// How the cost of keeping the old plan is computed.
enum class CostOfOldPlan { none, expected, flown };

/// Compares `second` with `first`. Unless `fields` is null, also writes the differences to that
/// file; the caller commits it. The cost needs the second run's environment. Errors: InputError if
/// the runs cannot be compared (align_policies()) or the environment differs from that of the run.
RunComparison compare_runs(const ComparedRun& first, const ComparedRun& second, CostOfOldPlan cost,
                           AtomicFile* fields, Progress& progress);

/// Compares a replanned run with the previous run, `first`. `passed`: number of via points that the
/// vehicle has already passed. `second`: the new run; `run`: its mission; `own`: the outcome of its
/// plan. If that has simulated flights, the old plan's flights are simulated too, into
/// `old_flights`. The result has a cost. Errors: those of compare_runs().
RunComparison compare_with_before(const ComparedRun& first, std::size_t passed,
                                  const ComparedRun& second, const MissionProblem& run,
                                  PlanOutcome own, RolloutResult& old_flights, Progress& progress);

}  // namespace tidewise
