#pragma once

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

// The methods, for float and double, with a row each in table.cpp; solve_process() is the door to
// them. Each fills all of its solution but what validate_solution() finds, begins with
// process.initial_value (or 0), stops as ConvergenceMonitor says, and tells `progress` its sweeps.
// One file each.

/// Jacobi sweeps over the rows as they are, by `threads`; the same bits by any number of them.
template <class Real>
ProcessSolution<Real> iterate_values(const DecisionProcess<Real>& process,
                                     const SolveOptions& options, Progress& progress);
/// Gauss-Seidel sweeps by one thread, in order of states.
template <class Real>
ProcessSolution<Real> iterate_gauss_seidel(const DecisionProcess<Real>& process,
                                           const SolveOptions& options, Progress& progress);
/// Block Divided Iteration: what block_divided_on_device() does, to the last bit.
template <class Real>
ProcessSolution<Real> iterate_block_divided(const DecisionProcess<Real>& process,
                                            const SolveOptions& options, Progress& progress);
/// Result Divided Iteration: what result_divided_on_device() does, to the last bit.
template <class Real>
ProcessSolution<Real> iterate_result_divided(const DecisionProcess<Real>& process,
                                             const SolveOptions& options, Progress& progress);
/// Modified policy iteration with the serial evaluator.
template <class Real>
ProcessSolution<Real> iterate_policies(const DecisionProcess<Real>& process,
                                       const SolveOptions& options, Progress& progress);
/// Inexact policy iteration; γ < 1.
template <class Real>
ProcessSolution<Real> iterate_inexact_policies(const DecisionProcess<Real>& process,
                                               const SolveOptions& options, Progress& progress);
/// The fused method: sweeps over the layout that options.layout names.
template <class Real>
ProcessSolution<Real> iterate_fused(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress);
/// options.horizon steps backward from initial_value; exact.
template <class Real>
ProcessSolution<Real> induce_backward(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress);
/// Tabular Q-learning by options.q_learning.agents agents.
template <class Real>
ProcessSolution<Real> learn_by_simulation(const DecisionProcess<Real>& process,
                                          const SolveOptions& options, Progress& progress);

/// The same by the current device, to the last bit; `policies_on_device` by an evaluator cuda or
/// cusparse. Without CUDA each throws RunError (mdp/without_cuda.cpp).
#define TIDEWISE_DEVICE_METHODS(of)                                             \
  of(values_on_device) of(block_divided_on_device) of(result_divided_on_device) \
      of(policies_on_device) of(fused_on_device) of(backward_on_device) of(q_learning_on_device)

#define TIDEWISE_DECLARE(method) \
  template <class Real>          \
  ProcessSolution<Real> method(const DecisionProcess<Real>&, const SolveOptions&, Progress&);
TIDEWISE_DEVICE_METHODS(TIDEWISE_DECLARE)
#undef TIDEWISE_DECLARE

}  // namespace tidewise::mdp
