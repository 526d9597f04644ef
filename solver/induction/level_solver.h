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

/// Solves one level after the other, from L down to 0, and keeps what the next one needs of the
/// last: value, mask and scalar field. One implementation a backend; the pass over the levels
/// (backward_induction.cpp) is the same for all.
class LevelSolver {
 public:
  virtual ~LevelSolver() = default;
  /// Level L: nothing is left to decide.
  virtual void start(const LevelFields<>& fields) = 0;
  /// The level before the one that was solved last. Errors: InputError when a value is too large
  /// for float32, which harvesting alone can bring about in a mission that was resolved.
  virtual void step(TimeLevel k, const LevelFields<>& fields) = 0;
  /// Cells that the last step() decided on.
  virtual std::int64_t decided() const = 0;
  /// Gives the level that was solved last to `sink`.
  virtual void hand_over(TimeLevel k, PolicySink& sink) const = 0;
};

/// Feeds the counts of some cells of level k, as an engine or a stored model knows them, to `sink`.
using CountLevel = std::function<void(TimeLevel k, const LevelView& level,
                                      View<const CellIndex> cells, CountSink& sink)>;

/// The counts of an engine of its own on the CPU, which calls back from `threads` threads.
CountLevel count_by_engine(Engine engine, const EnvironmentInfo& info, const PositionRule& rule,
                           const std::vector<Action>& actions, std::int32_t threads,
                           std::int32_t subgrid_radius = 0);

/// On the CPU, with counts from anywhere, for all legs of a mission (CpuLevelSolver). `threads` is
/// the number that `count` calls back from. `rows`: where those of the policy are kept, if it is
/// not null. `info` and the problem's actions must outlive the solver.
std::unique_ptr<LevelSolver> make_cpu_level_solver(const EnvironmentInfo& info,
                                                   const PlanningProblem& problem,
                                                   std::int32_t threads, CountLevel count,
                                                   PolicyRows* rows = nullptr);

}  // namespace tidewise
