#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/explicit/compact_level.h"
#include "solver/explicit/method.h"
#include "solver/induction/backward_induction.h"
#include "solver/induction/level_solver.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// An explicit model that is kept somewhere, level by level.
struct StoredModel {
  SubGrid subgrid;
  /// The rows of a level, from the last to the first; called by one thread at a time, not always
  /// the same.
  std::function<CompactLevel(TimeLevel)> read;
  /// Refuses a level that the rows were not counted on, once they have been read. Errors:
  /// InputError.
  std::function<void(TimeLevel, const LevelView&)> validate;
};

/// Solves levels of all legs from the explicit model on the current device. The rows of the next
/// level are read, packed into pinned memory and brought over by a stream of their own while this
/// one is solved. `info`, the problem and what `model` refers to must outlive the solver.
/// `threads`: for the packing. Errors: RunError without a device, or when it fails.
std::unique_ptr<LevelSolver> make_explicit_device_solver(const EnvironmentInfo& info,
                                                         const PlanningProblem& problem,
                                                         std::int32_t threads, StoredModel model,
                                                         ExplicitMethod method);

/// One backward pass with it: the same bits as solve_backward() with the model's counts, but for
/// ExplicitMethod::sparse, which agrees to rounding. Errors: those of both.
SolveReport solve_explicit_on_device(const EnvironmentReader& environment,
                                     const PlanningProblem& problem, std::int32_t threads,
                                     const StoredModel& model, PolicySink& sink, Progress& progress,
                                     ExplicitMethod method = ExplicitMethod::padded);

}  // namespace tidewise
