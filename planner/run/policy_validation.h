#pragma once

#include <string>

#include "output/run/policy_file.h"
#include "planner/backend/planning_context.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

// Checks of a policy before it is flown, refined or evaluated. Errors: InputError.

/// Refuses an environment other than the one that the policy was planned on, even one of the same
/// name. If the policy does not identify its environment (files of earlier versions), only
/// the grid and the times are compared, and a warning is returned; otherwise "".
std::string validate_own_environment(const PolicyFile& policy, PlanningContext& planning);

/// Relation of the mission's environment to the policy: `yes` if the policy was planned on it.
enum class PlannedHere { yes, no };
/// Refuses a damaged policy: one that fails PolicyFile::validate(), that has other actions or
/// decision levels than the mission, or that lacks an action in a state of its planning
/// environment.
void validate_policy(const PolicyFile& policy, const MissionProblem& run, PlannedHere planned_here);

}  // namespace tidewise
