#pragma once

#include <vector>

#include "bench/planner/problem.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Solves all legs of missions together on the current device from levels that lie there, each
/// level counted once; every member's action and value of each level come back to the host, and go
/// to its sink where sinks are given, (mission). The time from the first level's start to the last
/// one's arrival [s]; the solver's own memory was allocated before, from what was free. `engine`:
/// direct or lattice. Two legs at least; one alone is solve_on_device()'s. Errors: RunError in a
/// build without CUDA, or where the device's memory does not hold all legs at once.
double solve_group_on_device(const PlannerProblem& problem, const std::vector<Action>& actions,
                             const std::vector<const Mission*>& missions, Engine engine,
                             const std::vector<PolicySink*>& sinks = {});

}  // namespace tidewise
