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

struct PlannerOptions {
  Engine engine = Engine::lattice;
  std::int32_t threads = 1;
  /// The sub-grid's least radius [cells]; it grows to what the flow needs in any case.
  std::int32_t subgrid_radius = 0;
  /// Device memory that a group of missions may take beside the environment's levels [B]; 0: nine
  /// tenths of what is free.
  std::size_t group_memory = 0;
};

/// The pass over the levels itself, for any backend's solver: each level is read while the one
/// before it is solved, and every level goes to `sink`. Errors: those of reading and of the solver.
SolveReport solve_levels(const EnvironmentReader& environment, const Mission& mission,
                         std::size_t action_count, LevelSolver& solver, PolicySink& sink,
                         Progress& progress);

/// One backward pass, k = L … 0, exact for the finite horizon: counts and backup level by level,
/// the next level read meanwhile; no more than a few levels in memory. Every level goes to `sink`.
/// `threads` is the number that `count` calls back from. Errors: those of reading and counting.
SolveReport solve_backward(const EnvironmentReader& environment, const PlanningProblem& problem,
                           std::int32_t threads, const CountLevel& count, PolicySink& sink,
                           Progress& progress);

/// The same with counts from an engine, wherever it counts.
SolveReport solve_with_engine(const EnvironmentReader& environment, const PlanningProblem& problem,
                              std::int32_t threads, CountingEngine& engine, PolicySink& sink,
                              Progress& progress);

/// The same with an engine on the CPU.
SolveReport solve_mission(const EnvironmentReader& environment, const PlanningProblem& problem,
                          const PlannerOptions& options, PolicySink& sink, Progress& progress);

}  // namespace tidewise
