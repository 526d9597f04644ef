#pragma once

#include <memory>

#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "planner/run/margin_choice.h"
#include "tidewise/margin_line.h"

namespace tidewise {

/// Has the request keep the margin of that line, which is marked as kept; nothing is planned.
/// `planning` is of the request. Errors: InputError where there is no such run, table or
/// line, for a run of another mission or forecast, and where a price is to be found as well.
MarginsFlown keep_line(RunRequest& request, const std::shared_ptr<PlanningContext>& planning,
                       const MarginLine& line, bool arrival_at_least);

}  // namespace tidewise
