#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/induction/level_solver.h"
#include "solver/pass/solve_report.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Options of the backward pass.
struct PlannerOptions {
  Engine engine = Engine::lattice;
  std::int32_t threads = 1;
  /// Minimum radius of the sub-grid [cells]; the engine enlarges it if the flow requires it.
  std::int32_t subgrid_radius = 0;
  /// Device memory for a group of missions, in addition to the environment's levels [B]; 0: nine
  /// tenths of the free memory.
  std::size_t group_memory = 0;
};

/// Solves level by level with `solver`, of any backend, and reads each level while the previous one
/// is solved. Passes every level to `sink`. Errors: those of reading and of the solver.
SolveReport solve_levels(const EnvironmentReader& environment, const Mission& mission,
                         std::size_t action_count, LevelSolver& solver, PolicySink& sink,
                         Progress& progress);

/// One backward pass, k = L … 0, exact for the finite horizon: counts and backs up each level while
/// it reads the next, with a few levels in memory. Passes every level to `sink`. `threads`: number
/// of threads from which `count` calls back. Errors: those of reading and counting.
SolveReport solve_backward(const EnvironmentReader& environment, const PlanningProblem& problem,
                           std::int32_t threads, const CountLevel& count, PolicySink& sink,
                           Progress& progress);

/// solve_backward() with the counts of an engine on any backend.
SolveReport solve_with_engine(const EnvironmentReader& environment, const PlanningProblem& problem,
                              std::int32_t threads, CountingEngine& engine, PolicySink& sink,
                              Progress& progress);

/// solve_backward() with the counts of an engine on the CPU.
SolveReport solve_mission(const EnvironmentReader& environment, const PlanningProblem& problem,
                          const PlannerOptions& options, PolicySink& sink, Progress& progress);

}  // namespace tidewise
