#pragma once

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// The method that `options` names on the current device, for float and double; the same contract
/// as mdp/methods/host.h. mdp/methods/device_cuda.cu, or mdp/without_cuda.cpp where it
/// throws RunError.
template <class Real>
ProcessSolution<Real> solve_on_device(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress);

}  // namespace tidewise::mdp
