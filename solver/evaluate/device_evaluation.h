#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// evaluate_policies() on the current device: the same bits. Each level's counts are made once for
/// all members, and a step of all of them is one piece of work. `memory`: what it may take on the
/// device beside some 300 bytes a cell [B]; members that do not fit go one slice after the other,
/// and what is counted goes in parts; no less than one cell's counts is taken. 0: a quarter of
/// what is free. `threads`: of the host, that read policies. Errors: those of evaluate_policies().
std::vector<MemberOutcome> evaluate_policies_on_device(DeviceEnvironment& environment,
                                                       const PositionRule& rule,
                                                       const std::vector<Action>& actions,
                                                       const std::vector<EvaluationMember>& members,
                                                       std::int32_t threads, Progress& progress,
                                                       std::size_t memory = 0);

/// evaluate_policy() on the current device: a group of one. Errors: those of evaluate_policy().
ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& environment,
                                          const PlanningProblem& problem,
                                          const PolicySource& policy, Progress& progress,
                                          std::size_t memory = 0);

}  // namespace tidewise
