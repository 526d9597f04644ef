#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "output/run/summary.h"
#include "planner/api/policy_content.h"
#include "planner/backend/kept_counts.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "planner/problem/mission_problem.h"
#include "tidewise/environment.h"
#include "tidewise/mission_file.h"
#include "tidewise/planner.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// A plan's inputs and results.
struct Plan::Content {
  Environment environment;
  RunRequest request;
  std::shared_ptr<PlanningContext> planning;
  std::shared_ptr<const Policy::Content> policy;
  RunSummary summary;
  std::vector<std::string> warnings;
};

/// Transition counts for plans of this vehicle in this environment. Null where plans do not use
/// them: on a GPU, and for a vehicle with an error of speed or heading. Errors: those of plan().
std::shared_ptr<const KeptCounts> keep_counts(const Environment& environment,
                                              const MissionFile& mission, Progress* progress);

/// Returns the same bits as plan(), without counting the transitions that `counts` holds. `counts`
/// may be null.
Plan plan_by_counts(const Environment& environment, const MissionFile& mission,
                    const KeptCounts* counts, Progress* progress);

/// Callback after a run was saved: the run as resolved, its summary and its flights.
using OnSaved = std::function<void(const MissionProblem&, const RunSummary&, const RolloutResult&)>;

/// Implements Plan::save(). `flights` may be null and `on_saved` empty.
void save_run(const Plan& plan, const std::filesystem::path& folder, const Flights* flights,
              SavedEnvironment saved, const OnSaved& on_saved = {});

}  // namespace tidewise
