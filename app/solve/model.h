#pragma once

#include "app/solve/arguments.h"
#include "base/progress.h"
#include "mdp/process/decision_process.h"

namespace tidewise {

/// The process that `tidewise research solve` is to solve: read from its file, with the
/// discount, the target and the direction that were asked for, so that the greatest value is what
/// is wanted. Errors: InputError, those of reading.
template <class Real>
mdp::DecisionProcess<Real> read_model(const SolveArguments& arguments, Progress& progress);

}  // namespace tidewise
