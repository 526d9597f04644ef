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

/// One backward pass over all legs from the explicit model on the current device: the same bits as
/// solve_backward() with the model's counts, but for ExplicitMethod::sparse, which agrees to
/// rounding. The rows of the next level are read, packed into pinned memory by `threads` threads
/// and brought over by a stream of their own while this one is solved. Errors: those of
/// solve_backward(); RunError without a device, or when it fails.
SolveReport solve_explicit_on_device(const EnvironmentReader& environment,
                                     const PlanningProblem& problem, std::int32_t threads,
                                     const StoredModel& model, PolicySink& sink, Progress& progress,
                                     ExplicitMethod method = ExplicitMethod::padded);

}  // namespace tidewise
