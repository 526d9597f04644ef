#pragma once

#include <optional>

#include "output/run/recommendation.h"
#include "planner/problem/mission_problem.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// What a policy for the problem's actions does at its start; nothing where it has no action there,
/// as in the target.
std::optional<FirstAction> first_action(const MissionProblem& problem, const PolicySource& policy);

}  // namespace tidewise
