#pragma once

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

// The methods on the device, for mdp/methods/device_cuda.cu alone: each in a .cu file of its own,
// for float and double.

template <class Real>
ProcessSolution<Real> values_on_device(const DecisionProcess<Real>& process,
                                       const SolveOptions& options, Progress& progress);
template <class Real>
ProcessSolution<Real> block_divided_on_device(const DecisionProcess<Real>& process,
                                              const SolveOptions& options, Progress& progress);
template <class Real>
ProcessSolution<Real> result_divided_on_device(const DecisionProcess<Real>& process,
                                               const SolveOptions& options, Progress& progress);
/// options.evaluator is cuda or cusparse.
template <class Real>
ProcessSolution<Real> policies_on_device(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, Progress& progress);
template <class Real>
ProcessSolution<Real> fused_on_device(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress);
template <class Real>
ProcessSolution<Real> backward_on_device(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, Progress& progress);
template <class Real>
ProcessSolution<Real> q_learning_on_device(const DecisionProcess<Real>& process,
                                           const SolveOptions& options, Progress& progress);

}  // namespace tidewise::mdp
