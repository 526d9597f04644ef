#pragma once

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

/// Instantiates a method, a function template as below, for float and double.
#define TIDEWISE_INSTANTIATE_METHOD(method)                                                    \
  template ProcessSolution<float> method(const DecisionProcess<float>&, const SolveOptions&,   \
                                         Progress&);                                           \
  template ProcessSolution<double> method(const DecisionProcess<double>&, const SolveOptions&, \
                                          Progress&);

namespace tidewise::mdp {

// The methods, for float and double, each with a row in table.cpp; solve_process() calls them. A
// method fills its solution except for the results of validate_solution(), begins with
// process.initial_value (or 0), stops when ConvergenceMonitor decides, and reports its sweeps to
// `progress`. Each has a file.
#define TIDEWISE_DECLARE(method) \
  template <class Real>          \
  ProcessSolution<Real> method(const DecisionProcess<Real>&, const SolveOptions&, Progress&);

/// Jacobi sweeps over the rows with `threads`; the bits are independent of their number.
TIDEWISE_DECLARE(iterate_values)
/// Gauss-Seidel sweeps on one thread, in order of states.
TIDEWISE_DECLARE(iterate_gauss_seidel)
/// Block Divided Iteration, with the bits of block_divided_on_device().
TIDEWISE_DECLARE(iterate_block_divided)
/// Result Divided Iteration, with the bits of result_divided_on_device().
TIDEWISE_DECLARE(iterate_result_divided)
/// Modified policy iteration with the serial evaluator.
TIDEWISE_DECLARE(iterate_policies)
/// Inexact policy iteration; γ < 1.
TIDEWISE_DECLARE(iterate_inexact_policies)
/// The fused method: sweeps over the layout options.layout.
TIDEWISE_DECLARE(iterate_fused)
/// options.horizon steps backward from initial_value; exact.
TIDEWISE_DECLARE(induce_backward)
/// Tabular Q-learning with options.q_learning.agents agents.
TIDEWISE_DECLARE(learn_by_simulation)

/// The same methods on the current device, with the same bits; policies_on_device uses the
/// evaluator cuda or cusparse. Without CUDA each throws RunError (mdp/without_cuda.cpp).
#define TIDEWISE_DEVICE_METHODS(of)                                             \
  of(values_on_device) of(block_divided_on_device) of(result_divided_on_device) \
      of(policies_on_device) of(fused_on_device) of(backward_on_device) of(q_learning_on_device)
TIDEWISE_DEVICE_METHODS(TIDEWISE_DECLARE)
#undef TIDEWISE_DECLARE

}  // namespace tidewise::mdp
