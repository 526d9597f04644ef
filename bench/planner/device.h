#pragma once

#include <vector>

#include "bench/planner/problem.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/induction/device_level_solver.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Solves a mission on the current device from levels in device memory, with counting and backup in
/// one kernel. Action and value of each level are copied to the host and passed to `sink`, if one
/// is given. Returns the time from the start of the first level to the arrival of the last one [s];
/// the solver's memory was allocated before. `engine`: direct or lattice. `rows`: selects
/// whether each level's explicit model stays on the device, too. Errors: RunError in a build
/// without CUDA, or if rows are missing.
double solve_on_device(const PlannerProblem& problem, const std::vector<Action>& actions,
                       const Mission& mission, Engine engine, PolicySink* sink = nullptr,
                       KeepRows rows = KeepRows::no);

}  // namespace tidewise
