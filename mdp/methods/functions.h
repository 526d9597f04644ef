#pragma once

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

/// Makes a method, a function template of the form of those below, for float and double.
#define TIDEWISE_INSTANTIATE_METHOD(method)                                                    \
  template ProcessSolution<float> method(const DecisionProcess<float>&, const SolveOptions&,   \
                                         Progress&);                                           \
  template ProcessSolution<double> method(const DecisionProcess<double>&, const SolveOptions&, \
                                          Progress&);

namespace tidewise::mdp {

// The methods, for float and double, with a row each in table.cpp; solve_process() calls them. Each
// fills all of its solution but what validate_solution() finds, begins with process.initial_value
// (or 0), stops as ConvergenceMonitor decides, and reports its sweeps to `progress`. One file each.
#define TIDEWISE_DECLARE(method) \
  template <class Real>          \
  ProcessSolution<Real> method(const DecisionProcess<Real>&, const SolveOptions&, Progress&);

/// Jacobi sweeps over the rows as they are, by `threads`; the same bits by any number of them.
TIDEWISE_DECLARE(iterate_values)
/// Gauss-Seidel sweeps by one thread, in order of states.
TIDEWISE_DECLARE(iterate_gauss_seidel)
/// Block Divided Iteration: the bits of block_divided_on_device().
TIDEWISE_DECLARE(iterate_block_divided)
/// Result Divided Iteration: the bits of result_divided_on_device().
TIDEWISE_DECLARE(iterate_result_divided)
/// Modified policy iteration with the serial evaluator.
TIDEWISE_DECLARE(iterate_policies)
/// Inexact policy iteration; γ < 1.
TIDEWISE_DECLARE(iterate_inexact_policies)
/// The fused method: sweeps over the layout that options.layout names.
TIDEWISE_DECLARE(iterate_fused)
/// options.horizon steps backward from initial_value; exact.
TIDEWISE_DECLARE(induce_backward)
/// Tabular Q-learning by options.q_learning.agents agents.
TIDEWISE_DECLARE(learn_by_simulation)

/// The same by the current device, to the last bit; `policies_on_device` by an evaluator cuda or
/// cusparse. Without CUDA each throws RunError (mdp/without_cuda.cpp).
#define TIDEWISE_DEVICE_METHODS(of)                                             \
  of(values_on_device) of(block_divided_on_device) of(result_divided_on_device) \
      of(policies_on_device) of(fused_on_device) of(backward_on_device) of(q_learning_on_device)
TIDEWISE_DEVICE_METHODS(TIDEWISE_DECLARE)
#undef TIDEWISE_DECLARE

}  // namespace tidewise::mdp
