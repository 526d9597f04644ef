#include "solver/mdp/solve_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "solver/mdp/device_methods.h"
#include "solver/mdp/ending_policy.h"
#include "solver/mdp/endless_gain.h"
#include "solver/mdp/host_methods.h"
#include "solver/mdp/method_choice.h"
#include "solver/mdp/propriety.h"

namespace tidewise {

void judge_options(const SolveOptions& options) {
  if (!(options.tolerance > 0)) {
    throw InputError(
        fmt::format("the tolerance is {}; give one above 0, such as 1e-4", options.tolerance));
  }
  const bool on_device = options.compute_on == ComputeOn::device;
  if (options.method == SolveMethod::policy_iteration) {
    if (on_device && options.evaluator == Evaluator::serial) {
      throw InputError(
          "the evaluator serial is for the processor; take cuda or cusparse, or --backend cpu");
    }
    if (!on_device && options.evaluator != Evaluator::serial) {
      throw InputError(fmt::format("the evaluator {} is for a GPU; take serial, or --backend cuda",
                                   name_of(options.evaluator)));
    }
  }
  if (options.method == SolveMethod::backward && options.horizon < 1) {
    throw InputError(fmt::format(
        "backward induction takes a number of steps, and the horizon is {}; give --horizon N",
        options.horizon));
  }
}

namespace {

/// Without discount only what comes to an end has a value. Errors: InputError naming a state.
template <class Real>
void require_proper(const DecisionProcess<Real>& process, const SolveOptions& options) {
  if (process.discount < 1 || options.method == SolveMethod::backward) return;
  const Propriety propriety = judge_propriety(process);
  if (propriety.improper.empty()) return;
  throw InputError(fmt::format(
      "the discount is 1, and from {} of {} states, such as state {}, no policy surely comes to an "
      "end, so that they have no value; give --gamma below 1, make ends of states by --target, or "
      "take --method backward",
      propriety.improper.size(), process.state_count, propriety.improper.front()));
}

template <class Real>
ProcessSolution<Real> solve_on_host(const DecisionProcess<Real>& process,
                                    const SolveOptions& options, Progress& progress) {
  switch (options.method) {
    case SolveMethod::value_iteration:
      return iterate_values(process, options, progress);
    case SolveMethod::gauss_seidel:
      return iterate_gauss_seidel(process, options, progress);
    case SolveMethod::block_divided:
      return iterate_block_divided(process, options, progress);
    case SolveMethod::result_divided:
      return iterate_result_divided(process, options, progress);
    case SolveMethod::policy_iteration:
      return iterate_policies(process, options, progress);
    case SolveMethod::inexact_policy_iteration:
      return iterate_inexact_policies(process, options, progress);
    case SolveMethod::fused:
      return iterate_fused(process, options, progress);
    case SolveMethod::backward:
      return induce_backward(process, options, progress);
    case SolveMethod::q_learning:
    case SolveMethod::automatic:  // solve_process() has chosen
      break;
  }
  return learn_by_simulation(process, options, progress);
}

/// Without discount: a policy that comes to the end which its value counts on, or what keeps values
/// from coming to rest.
template <class Real>
void see_to_the_end(const DecisionProcess<Real>& process, const SolveOptions& options,
                    ProcessSolution<Real>& solution) {
  if (solution.converged) {
    const double slack = std::max(2 * solution.residual, solution.rounding);
    (void)let_policy_end(process, solution.value, slack, solution.action);
  } else {
    solution.endless = endless_gain(process, solution.value, options.tolerance);
  }
}

/// A method that has converged knows by its own last sweep that values are within the tolerance;
/// the judge, who sees one more sweep and no more, often knows less.
template <class Real>
void tighten_bounds(double discount, const SolveOptions& options, ProcessSolution<Real>& solution) {
  const bool knows = solution.converged && options.stop == StoppingRule::error && discount < 1 &&
                     options.method != SolveMethod::q_learning;
  if (!knows) return;
  ErrorBounds& bounds = solution.bounds;
  bounds.lower = std::max(bounds.lower, -options.tolerance);
  bounds.upper = std::min(bounds.upper, options.tolerance);
}

}  // namespace

template <class Real>
ProcessSolution<Real> solve_process(const DecisionProcess<Real>& process, const SolveOptions& asked,
                                    Progress& progress) {
  SolveOptions options = asked;
  if (asked.method == SolveMethod::automatic) {
    options.method = choose_method(process, asked).method;
  }
  judge_options(options);
  require_proper(process, options);
  ProcessSolution<Real> solution = options.compute_on == ComputeOn::device
                                       ? solve_on_device(process, options, progress)
                                       : solve_on_host(process, options, progress);
  if (options.method == SolveMethod::backward) {
    judge_steps(process, options.horizon, options.threads, solution);
    return solution;
  }
  judge_solution(process, options.threads, solution);
  tighten_bounds(process.discount, options, solution);
  if (!(process.discount < 1) && options.method != SolveMethod::q_learning) {
    see_to_the_end(process, options, solution);
  }
  return solution;
}

template ProcessSolution<float> solve_process(const DecisionProcess<float>&, const SolveOptions&,
                                              Progress&);
template ProcessSolution<double> solve_process(const DecisionProcess<double>&, const SolveOptions&,
                                               Progress&);

}  // namespace tidewise
