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

/// A stored explicit model that is read level by level.
struct StoredModel {
  SubGrid subgrid;
  /// Returns the rows of a level. Called from the last level to the first, by one thread at a time,
  /// but not always by the same thread.
  std::function<CompactLevel(TimeLevel)> read;
  /// Called after the rows of a level were read. Errors: InputError if the rows do not belong to
  /// this level.
  std::function<void(TimeLevel, const LevelView&)> validate;
};

/// One backward pass over all legs from an explicit model on the current device, with the same bits
/// as solve_backward() with the model's counts; ExplicitMethod::sparse agrees to rounding. While a
/// level is solved, the rows of the next one are read, packed into pinned memory by `threads`
/// threads, and copied on a separate stream. Errors: those of solve_backward(); RunError without a
/// device, or if the device fails.
SolveReport solve_explicit_on_device(const EnvironmentReader& environment,
                                     const PlanningProblem& problem, std::int32_t threads,
                                     const StoredModel& model, PolicySink& sink, Progress& progress,
                                     ExplicitMethod method = ExplicitMethod::padded);

}  // namespace tidewise
