#pragma once

#include <vector>

#include "bench/planner/problem.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Solves all legs of missions together on the current device from levels in device memory, each
/// level counted once. Every member's action and value of each level are copied to the host, and
/// passed to its sink if sinks are given, (mission). Returns the time from the start of the first
/// level to the arrival of the last one [s]; the solver's memory was allocated before, from free
/// memory. `engine`: direct or lattice. Requires at least two legs; use solve_on_device() for one.
/// Errors: RunError in a build without CUDA, or if device memory does not hold all legs at once.
double solve_group_on_device(const PlannerProblem& problem, const std::vector<Action>& actions,
                             const std::vector<const Mission*>& missions, Engine engine,
                             const std::vector<PolicySink*>& sinks = {});

}  // namespace tidewise
