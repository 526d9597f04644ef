#pragma once

#include <vector>

#include "bench/planner/problem.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/induction/device_level_solver.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Solves a mission on the current device from levels that lie there, counting and backup in one;
/// each level's action and value come back to the host and go to `sink`, where one is given. The
/// time from the first level's start to the last one's arrival [s]; the solver's own memory was
/// allocated before. `engine`: direct or lattice. `rows`: whether each level's explicit model is
/// left on the device too. Errors: RunError in a build without CUDA, or where rows are lacking.
double solve_on_device(const PlannerProblem& problem, const std::vector<Action>& actions,
                       const Mission& mission, Engine engine, PolicySink* sink = nullptr,
                       KeepRows rows = KeepRows::no);

}  // namespace tidewise
