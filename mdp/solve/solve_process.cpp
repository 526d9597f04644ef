#include "mdp/solve/solve_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "mdp/average/levelled_process.h"
#include "mdp/average/loop_gains.h"
#include "mdp/error/codes.h"
#include "mdp/graph/collapsed_process.h"
#include "mdp/graph/ending_policy.h"
#include "mdp/graph/endless_gain.h"
#include "mdp/graph/proper_policy.h"
#include "mdp/interval/interval_iteration.h"
#include "mdp/methods/functions.h"
#include "mdp/methods/table.h"
#include "mdp/process/lend.h"
#include "mdp/process/terminal_states.h"
#include "mdp/process/value_range.h"
#include "mdp/solve/method_choice.h"
#include "mdp/solve/outcome.h"

namespace tidewise::mdp {

void validate_options(const SolveOptions& options) {
  if (!(options.tolerance > 0 && std::isfinite(options.tolerance))) {
    throw input_error(errors::tolerance_invalid, options.tolerance);
  }
  const bool on_device = options.backend == BackendChoice::cuda;
  if (options.layout == FusedLayout::sell && !on_device) {
    throw input_error(errors::layout_sliced_without_gpu);
  }
  if (options.stop == StoppingRule::policy && options.method != Method::policy_iteration) {
    throw input_error(errors::stop_policy_of_other_method, name_of(options.method));
  }
  const Evaluator evaluator = options.evaluator;
  const bool is_sweeps_or_krylov = evaluator == Evaluator::sweeps || evaluator == Evaluator::krylov;
  if (options.method == Method::policy_iteration && evaluator != Evaluator::automatic) {
    if (is_sweeps_or_krylov) {
      throw input_error(errors::evaluator_of_other_method, name_of(evaluator));
    }
    if (on_device && evaluator == Evaluator::serial) {
      throw input_error(errors::evaluator_serial_on_gpu);
    }
    if (!on_device && evaluator != Evaluator::serial && evaluator != Evaluator::block) {
      throw input_error(errors::evaluator_without_gpu, name_of(evaluator));
    }
  }
  if (options.method == Method::inexact_policy_iteration && !is_sweeps_or_krylov &&
      evaluator != Evaluator::automatic) {
    throw input_error(errors::evaluator_of_policy_iteration, name_of(evaluator));
  }
  if (options.method == Method::backward && options.horizon < 1) {
    throw input_error(errors::horizon_missing, options.horizon);
  }
}

namespace {

/// The states, ascending, from which no policy terminates (or may rest), so that they have no value
/// with γ = 1.
template <class Real>
std::vector<std::int32_t> states_without_end(const DecisionProcess<Real>& process,
                                             const CollapsedProcess<Real>* collapsed,
                                             Endings endings) {
  const bool may_rest = endings == Endings::free && collapsed != nullptr;
  if (!may_rest) return find_proper_policies(process).improper;
  return collapsed->original_states(find_proper_policies(collapsed->process).improper);
}

template <class Real>
void refuse_without_end(const DecisionProcess<Real>& process,
                        const std::vector<std::int32_t>& states) {
  if (states.empty()) return;
  throw input_error(errors::states_without_end, states.size(), process.state_count, states.front());
}

/// Adds the sweeps and time of a previous method; `first`: the solution's first record in the
/// history.
template <class Real>
void add_previous_work(const ProcessSolution<Real>& previous, const SolveOptions& options,
                       std::size_t first, ProcessSolution<Real>& solution) {
  solution.sweeps += previous.sweeps;
  solution.seconds += previous.seconds;
  solution.sweep_seconds += previous.sweep_seconds;
  if (options.history == nullptr) return;
  for (std::size_t n = first; n < options.history->size(); ++n) {
    (*options.history)[n].sweeps += previous.sweeps;
    (*options.history)[n].seconds += previous.sweep_seconds;
  }
}

/// Continues where the fused method stopped.
template <class Real>
ProcessSolution<Real> continue_with_inexact_iteration(const DecisionProcess<Real>& process,
                                                      const SolveOptions& requested,
                                                      Progress& progress,
                                                      ProcessSolution<Real> previous) {
  SolveOptions options = requested;
  options.method = Method::inexact_policy_iteration;
  options.max_sweeps = std::max<std::int64_t>(requested.max_sweeps - previous.sweeps, 1);
  const std::size_t first = requested.history != nullptr ? requested.history->size() : 0;
  ProcessSolution<Real> solution = iterate_inexact_policies(
      borrow_with_first_values(process, std::move(previous.value)), options, progress);
  solution.turned_at = previous.turned_at;
  solution.method = options.method;
  add_previous_work(previous, options, first, solution);
  return solution;
}

template <class Real>
ProcessSolution<Real> solve_by_method(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress) {
  const MethodRow& row = row_of(options.method);
  const bool on_device = options.backend == BackendChoice::cuda;
  if (on_device && !row.host_alone.empty())
    throw input_error(errors::method_not_on_gpu, row.host_alone);
  const auto run = std::get<SolveFunction<Real>>(on_device ? row.device : row.host);
  ProcessSolution<Real> solution = run(process, options, progress);
  solution.method = options.method;
  if (solution.turned_at > 0) {
    solution = continue_with_inexact_iteration(process, options, progress, std::move(solution));
  }
  value_range(process, options.method == Method::backward).clip_all(solution.value);
  return solution;
}

/// Makes the policy terminate, as its value assumes.
template <class Real>
void make_policy_end(const DecisionProcess<Real>& solved, std::int32_t threads,
                     ProcessSolution<Real>& solution) {
  ProcessSolution<Real> validated;
  validated.value = solution.value;
  validate_solution(solved, threads, validated);
  const double slack = std::max(2 * validated.residual, validated.rounding);
  (void)make_policy_terminate(solved, solution.value, slack, solution.action);
}

/// Finds residual and rounding of a solution that has bounds, and with γ < 1 its policy.
template <class Real>
void validate_keeping_bounds(const DecisionProcess<Real>& process, const SolveOptions& options,
                             ProcessSolution<Real>& solution) {
  const ErrorBounds bounds = solution.bounds;
  validate_solution(process, options.threads, solution, process.discount < 1 ? &options : nullptr);
  solution.bounds = bounds;
}

/// Solves a process whose loops have a cost, or whose free loops were collapsed.
template <class Real>
ProcessSolution<Real> solve_within_bounds(const RewardRows<Real>& rows, const SolveOptions& options,
                                          Progress& progress) {
  const DecisionProcess<Real>& solved = rows.solved();
  const bool needs_bounds = options.stop == StoppingRule::error;
  std::optional<ProcessSolution<Real>> direct_start;
  if (options.may_choose_method && needs_bounds && options.backend == BackendChoice::cpu) {
    direct_start = start_by_direct_solves(rows);
  }
  ProcessSolution<Real> solution =
      direct_start ? std::move(*direct_start) : solve_by_method(solved, options, progress);
  if (!solution.converged) {
    solution.endless = endless_gain(solved, solution.value, options.tolerance);
  }
  // Policy iteration with direct solves needs no values of a method, even if its sweeps did not
  // suffice.
  const bool may_be_bounded = solution.endless.empty() && (needs_bounds || solution.converged ||
                                                           solution.sweeps < options.max_sweeps);
  if (may_be_bounded) bring_bounds_together(rows, options, progress, solution);
  if (solution.converged) make_policy_end(solved, options.threads, solution);
  return solution;
}

/// Solves a process with loops whose gains and losses cancel.
template <class Real>
ProcessSolution<Real> solve_levelled(const RewardRows<Real>& rows, const LoopGains& loops,
                                     const SolveOptions& options, Progress& progress) {
  const LevelledProcess<Real> levelled(rows, loops);
  SolveOptions shifted = options;
  shifted.error_measure = ErrorMeasure::absolute;
  constexpr int max_attempts = 3;  // a relative tolerance is only known with the value
  ProcessSolution<Real> solution;
  double excess = 0;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    solution =
        levelled.expanded(options, solve_within_bounds(levelled.rows(), shifted, progress), excess);
    if (!solution.converged || excess <= 1 || !std::isfinite(excess)) break;
    shifted.tolerance /= 2 * excess;
  }
  return solution;
}

template <class Real>
ProcessSolution<Real> solve_undiscounted(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, Progress& progress);

/// Solves the remaining states of a process in which some states have no admissible policy.
template <class Real>
ProcessSolution<Real> solve_others(const DecisionProcess<Real>& process,
                                   std::vector<std::int32_t> infinite, const SolveOptions& options,
                                   Progress& progress) {
  ProcessSolution<Real> solution =
      solve_undiscounted(remove_states(process, infinite), options, progress);
  constexpr auto minus_infinity = -std::numeric_limits<double>::infinity();
  for (const std::int32_t state : infinite) {
    const auto s = static_cast<std::size_t>(state);
    solution.value[s] = static_cast<Real>(minus_infinity);
    if (!solution.lower.empty()) solution.lower[s] = solution.upper[s] = minus_infinity;
  }
  solution.infinite = std::move(infinite);
  return solution;
}

/// With γ = 1 a fixed point need not be the optimum, and a small change of values does not bound
/// their error. Solves the process without its free loops, brings bounds together, and makes a
/// policy that terminates as its value assumes; or reports why values do not converge.
template <class Real>
ProcessSolution<Real> solve_undiscounted(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, Progress& progress) {
  const auto collapse = collapse_free_loops(process, options.endings);
  const CollapsedProcess<Real>* const collapsed = collapse ? &*collapse : nullptr;
  std::vector<std::int32_t> endless = states_without_end(process, collapsed, options.endings);
  if (!options.may_be_infinite) refuse_without_end(process, endless);
  if (!endless.empty() && options.endings == Endings::sure) {
    return solve_others(process, std::move(endless), options, progress);
  }
  const RewardRows<Real> rows(process, collapsed);
  const LoopGains loops = find_loop_gains(rows);
  if (!endless.empty() && loops.gaining.empty()) {
    // All infinite paths there lose, or have an average reward of 0, and none is admissible.
    if (!loops.undecided.empty()) refuse_without_end(process, endless);
    return solve_others(process, std::move(endless), options, progress);
  }
  ProcessSolution<Real> solution;
  if (!loops.gaining.empty()) {
    solution = unsolved(rows.solved());
    solution.endless = loops.gaining;
  } else if (!loops.shift.empty() && options.stop == StoppingRule::error) {
    solution = solve_levelled(rows, loops, options, progress);
  } else {
    solution = solve_within_bounds(rows, options, progress);
  }
  if (solution.lower.empty()) solution.undecided = loops.undecided;
  if (collapsed != nullptr) {
    solution = expand(process, *collapsed, std::move(solution));
    solution.undecided = collapsed->original_states(solution.undecided);
  }
  validate_keeping_bounds(process, options, solution);
  return solution;
}

// Entries of a thread's share of a sweep, which takes several times as long as waking the thread.
constexpr std::int64_t entries_per_thread = 65'536;

/// Solves a process with γ < 1, or for a number of steps.
template <class Real>
ProcessSolution<Real> solve_discounted(const DecisionProcess<Real>& process,
                                       const SolveOptions& options, Progress& progress) {
  if (options.method == Method::q_learning && !(process.discount < 1)) {
    refuse_without_end(process, find_proper_policies(process).improper);
  }
  ProcessSolution<Real> solution = solve_by_method(process, options, progress);
  if (options.method == Method::backward) {
    validate_steps(process, options.horizon, options.threads, solution);
    return solution;
  }
  const bool may_be_bounded = solution.converged || options.stop == StoppingRule::error;
  if (has_fixed_point(options.method) && options.error_measure == ErrorMeasure::relative &&
      may_be_bounded) {
    const RewardRows<Real> rows(process, nullptr);
    bring_bounds_together(rows, options, progress, solution);
  }
  const ErrorBounds bounds = solution.bounds;
  const bool has_ties = has_fixed_point(options.method) && process.discount < 1;
  validate_solution(process, options.threads, solution, has_ties ? &options : nullptr);
  if (!solution.lower.empty()) {
    solution.bounds = bounds;
  } else if (solution.bounds.error() > options.tolerance) {
    narrow_bounds(process, options.threads, solution);
  }
  return solution;
}

}  // namespace

std::int32_t worthwhile_threads(std::int64_t entries, const SolveOptions& options) {
  if (options.method == Method::q_learning) return options.threads;  // for agents
  const std::int64_t max = 1 + entries / entries_per_thread;
  return static_cast<std::int32_t>(std::min<std::int64_t>(options.threads, max));
}

namespace {

/// Solves by the method of the options.
template <class Real>
ProcessSolution<Real> solve_by_options(const DecisionProcess<Real>& process, SolveOptions options,
                                       Progress& progress) {
  validate_options(options);
  if (options.stop == StoppingRule::policy && !(process.discount < 1)) {
    throw input_error(errors::stop_policy_without_discount);
  }
  options.threads = worthwhile_threads(process.entry_count(), options);
  ProcessSolution<Real> solution = has_fixed_point(options.method) && !(process.discount < 1)
                                       ? solve_undiscounted(process, options, progress)
                                       : solve_discounted(process, options, progress);
  if (solution.turned_at == 0) solution.method = options.method;
  settle_outcome(process, options, solution);
  return solution;
}

/// Solves a process with γ < 1 by policy iteration with direct solves; nullopt if a loop is too
/// large.
template <class Real>
std::optional<ProcessSolution<Real>> solve_directly(const DecisionProcess<Real>& process,
                                                    const SolveOptions& options,
                                                    Progress& progress) {
  const RewardRows<Real> rows(process, nullptr);
  auto solution = start_by_direct_solves(rows);
  if (!solution) return std::nullopt;
  bring_bounds_together(rows, options, progress, *solution);
  validate_keeping_bounds(process, options, *solution);
  settle_outcome(process, options, *solution);
  return solution;
}

/// Tries other methods if the chosen one gave up, because methods fail on different models; if
/// loops are small, also policy iteration with direct solves. No method can solve a process whose
/// rewards grow without end.
template <class Real>
void try_other_methods(const DecisionProcess<Real>& process, const SolveOptions& chosen,
                       Progress& progress, ProcessSolution<Real>& solution) {
  const auto take_better = [&](ProcessSolution<Real> other, std::size_t first) {
    add_previous_work(solution, chosen, first, other);
    const bool is_better =
        (is_answer(other.outcome) && !is_answer(solution.outcome)) ||
        other.outcome == Outcome::within_tolerance ||
        (other.outcome == solution.outcome && other.bounds.error() < solution.bounds.error());
    if (!is_better) {
      solution.sweeps = other.sweeps;
      solution.seconds = other.seconds;
      solution.sweep_seconds = other.sweep_seconds;
    } else {
      solution = std::move(other);
    }
  };
  const bool may_be_direct = chosen.stop == StoppingRule::error && process.discount < 1;
  if (may_be_direct && solution.outcome != Outcome::within_tolerance) {
    if (auto other = solve_directly(process, chosen, progress)) take_better(std::move(*other), 0);
  }
  for (const Method method :
       {Method::inexact_policy_iteration, Method::fused, Method::policy_iteration}) {
    const bool is_beyond_improvement = solution.outcome != Outcome::gave_up ||
                                       solution.direct_states > 0 || !solution.endless.empty() ||
                                       !solution.undecided.empty();
    if (is_beyond_improvement) return;
    const bool is_unsupported = chosen.backend == BackendChoice::cuda && is_for_host_alone(method);
    if (method == chosen.method || is_unsupported) continue;
    SolveOptions options = chosen;
    options.method = method;
    options.may_switch_method = false;
    const std::size_t first = chosen.history != nullptr ? chosen.history->size() : 0;
    take_better(solve_by_options(process, options, progress), first);
  }
}

}  // namespace

template <class Real>
ProcessSolution<Real> solve_process(const DecisionProcess<Real>& process,
                                    const SolveOptions& requested, Progress& progress) {
  SolveOptions options = requested;
  if (requested.method == Method::automatic) choose_method(process, requested).settle(options);
  ProcessSolution<Real> solution = solve_by_options(process, options, progress);
  if (options.may_choose_method && options.method != Method::backward) {
    try_other_methods(process, options, progress, solution);
  }
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(solve_process)

}  // namespace tidewise::mdp
