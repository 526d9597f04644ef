#pragma once

#include "app/solve/arguments.h"
#include "base/progress.h"
#include "mdp/process/decision_process.h"

namespace tidewise {

/// Reads the process that `tidewise research solve` is to solve, with the requested discount,
/// target and direction. Minimisation negates the rewards, so that solvers always maximise. Errors:
/// InputError; those of reading.
template <class Real>
mdp::DecisionProcess<Real> read_model(const SolveArguments& arguments, Progress& progress);

}  // namespace tidewise
