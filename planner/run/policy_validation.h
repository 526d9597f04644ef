#pragma once

#include <string>

#include "output/run/policy_file.h"
#include "planner/backend/planning_context.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

// What a run's policy must be before it is flown, refined or evaluated. Errors: InputError.

/// Refuses an environment that is not the one that the policy was planned on, though it may bear
/// its name. Where the policy does not say what that was (versions before it was recorded), the
/// grid and the times alone can be compared: then a warning, else nothing.
std::string validate_own_environment(const PolicyFile& policy, PlanningContext& planning);

/// Refuses a policy that is damaged: PolicyFile::judge(), actions other than the mission's,
/// decisions at other levels than the mission's, and on its own environment a state without an
/// action that needs one.
enum class PlannedHere { yes, no };
void validate_policy(const PolicyFile& policy, const MissionProblem& run, PlannedHere planned_here);

}  // namespace tidewise
