#pragma once

#include <memory>

#include "base/progress.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Returns the mission with the lowest lateness penalty (mission.failure.late, or
/// mission.failure_penalty if the mission has one price for all failures) for which the model's
/// arrival probability of the best plan is at least `min`. The objective is then as good as this
/// probability allows. One counting pass tries several prices (docs/model.md, 3.6). `context` is
/// that of the mission. Errors: InputError if no plan reaches the probability, with the highest one
/// possible, and for the objective `arrival`; those of planning.
RunRequest with_arrival_at_least(RunRequest request, double min,
                                 const std::shared_ptr<PlanningContext>& context,
                                 Progress& progress);

}  // namespace tidewise
