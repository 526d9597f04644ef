#pragma once

#include <memory>

#include "base/progress.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"

namespace tidewise {

/// The mission with the mildest price of being late (mission.failure.late; or, where the mission
/// has one price for every failure, mission.failure_penalty) by which its best plan arrives with
/// `least` of probability by the model: what its objective counts is then as good as it can be with
/// so many arrivals. Prices are tried several at a time by one counting pass (docs/model.md, 3.6).
/// `context` is of that mission. Errors: InputError where no plan arrives so surely, saying what
/// can be had, and for the objective `arrival`; those of planning.
RunRequest with_arrival_at_least(RunRequest request, double least,
                                 const std::shared_ptr<PlanningContext>& context,
                                 Progress& progress);

}  // namespace tidewise
