#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "output/run/summary.h"
#include "planner/api/policy_content.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "planner/problem/mission_problem.h"
#include "tidewise/environment.h"
#include "tidewise/planner.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// What a plan was made of, and what came of it.
struct Plan::Content {
  Environment environment;
  RunRequest request;
  std::shared_ptr<PlanningContext> planning;
  std::shared_ptr<const Policy::Content> policy;
  RunSummary summary;
  std::vector<std::string> warnings;
};

/// Is told of a run that was saved, as it was resolved, of its summary and its flights.
using TellSaved =
    std::function<void(const MissionProblem&, const RunSummary&, const RolloutResult&)>;

/// As Plan::save() does; `flights` may be null, and `tell` empty.
void save_run(const Plan& plan, const std::filesystem::path& folder, const Flights* flights,
              SavedEnvironment saved, const TellSaved& tell = {});

}  // namespace tidewise
