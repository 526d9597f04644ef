#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "solver/evaluate/forward_evaluation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// evaluate_policy() on the current device: the same bits. `scratch`: device memory that counts may
/// take beside some 300 bytes a cell [B]; what needs more is counted in parts, and no less than one
/// cell's counts is taken. 0: 2 KiB a cell, or a quarter of what is free where that is less.
/// Errors: those of evaluate_policy().
ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& environment,
                                          const PlanningProblem& problem,
                                          const PolicySource& policy, Progress& progress,
                                          std::size_t scratch = 0);

}  // namespace tidewise
