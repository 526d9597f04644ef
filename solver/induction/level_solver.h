#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "env/level_fields.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/cell_transitions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Solves one level after the other, from L down to 0, and keeps the last level's value, mask and
/// scalar field for the next step. Each backend has one implementation; all share the pass over the
/// levels (backward_induction.cpp).
class LevelSolver {
 public:
  virtual ~LevelSolver() = default;
  /// Starts at level L, which has no actions.
  virtual void start(const LevelFields<>& fields) = 0;
  /// Solves level k, the level before the last one solved. Errors: InputError if a value is too
  /// large for float32. In a resolved mission only harvesting can cause that.
  virtual void step(TimeLevel k, const LevelFields<>& fields) = 0;
  /// Number of cells in which the last step() decided.
  virtual std::int64_t decided() const = 0;
  /// Passes the last level solved to `sink`.
  virtual void hand_over(TimeLevel k, PolicySink& sink) const = 0;
};

/// Passes the counts of some cells of level k, from an engine or a stored model, to `sink`.
using CountLevel = std::function<void(TimeLevel k, const LevelView& level,
                                      View<const CellIndex> cells, CountSink& sink)>;

/// Counts of a new engine on the CPU, which calls back from `threads` threads.
CountLevel count_by_engine(Engine engine, const EnvironmentInfo& info, const PositionRule& rule,
                           const std::vector<Action>& actions, std::int32_t threads,
                           std::int32_t subgrid_radius = 0);

/// Level solver on the CPU for all legs of a mission, with counts from `count` (CpuLevelSolver).
/// `threads`: number of threads from which `count` calls back. `rows`: receives the policy's rows
/// if not null. `info` and the problem's actions must outlive the solver.
std::unique_ptr<LevelSolver> make_cpu_level_solver(const EnvironmentInfo& info,
                                                   const PlanningProblem& problem,
                                                   std::int32_t threads, CountLevel count,
                                                   PolicyRows* rows = nullptr);

}  // namespace tidewise
