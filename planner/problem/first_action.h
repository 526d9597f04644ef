#pragma once

#include <optional>

#include "output/run/recommendation.h"
#include "planner/problem/mission_problem.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Returns the action of a policy at the mission's start; nullopt if it has none, as in the target.
std::optional<FirstAction> first_action(const MissionProblem& problem, const PolicySource& policy);

}  // namespace tidewise
