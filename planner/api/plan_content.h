#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output/run/summary.h"
#include "planner/api/policy_content.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "tidewise/environment.h"
#include "tidewise/planner.h"

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

}  // namespace tidewise
