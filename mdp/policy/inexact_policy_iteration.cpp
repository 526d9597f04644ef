#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/stopwatch.h"
#include "mdp/error/codes.h"
#include "mdp/methods/functions.h"
#include "mdp/policy/candidate_actions.h"
#include "mdp/policy/policy_evaluation.h"
#include "mdp/process/first_values.h"
#include "mdp/process/state_blocks.h"
#include "mdp/stop/centre_values.h"
#include "mdp/stop/convergence_monitor.h"

namespace tidewise::mdp {
namespace {

// An evaluation reduces the change of the previous improvement to this share. Smaller shares waste
// work on policies that change again, larger ones cost sweeps over all actions (queues took 1.57 s
// with 0.1, 2.15 s with 0.3).
constexpr double forcing = 0.1;
// The last evaluation reduces the change to this share of the one with which iteration may end.
constexpr double end_share = 0.3;
// Candidates have a shortfall of at most this times the movement of values in an evaluation, which
// leaves room for further movement.
constexpr double reach = 1.5;

template <class Real>
class InexactPolicyIteration {
 public:
  InexactPolicyIteration(const DecisionProcess<Real>& process, const SolveOptions& options)
      : view_(view_of(process)),
        options_(options),
        measure_(options.stop == StoppingRule::error ? ChangeMeasure::between_states
                                                     : ChangeMeasure::from_zero),
        value_(first_values(process)),
        next_(process.state_count),
        action_(static_cast<std::size_t>(process.state_count), -1),
        evaluation_(view_, measure_, options.evaluator, options.threads),
        candidates_(view_, options.threads),
        reference_(process.state_count) {}

  /// Returns the change of the last improvement.
  ValueChange run(Progress& progress, ProcessSolution<Real>& solution) {
    const Stopwatch watch;
    ConvergenceMonitor monitor(view_.state_count, view_.discount, options_,
                               SweepKind::improvements);
    std::int64_t evaluation_sweeps = 0;
    progress.begin("solving", 0, "sweeps");
    ValueChange change;
    for (;;) {
      change = improve();
      ++solution.improvements;
      ++solution.sweeps;
      const double max = greatest_value();
      if (!std::isfinite(max)) throw_not_finite(solution.sweeps);
      progress.advance_to(solution.sweeps);
      const Verdict verdict = monitor.after(change, evaluation_sweeps + 1, rounding_of<Real>(max));
      solution.converged = verdict == Verdict::converged;
      if (verdict != Verdict::go_on) break;
      // Krylov steps are allowed until changes stall: a change in the last digits of a value may
      // belong to an error that is 1/(1 − γ) times as large.
      evaluation_sweeps = evaluate(measure_of(change, measure_), max, !monitor.is_stalled(),
                                   options_.max_sweeps - solution.sweeps - 1);
      solution.sweeps += evaluation_sweeps;
    }
    progress.end();
    solution.sweep_seconds = watch.seconds();
    solution.value = value_.to_vector();
    solution.action = std::move(action_);
    return change;
  }

 private:
  /// V ← T V and the greedy policy, over the actions that must be considered.
  ValueChange improve() {
    ValueChange change;
    if (considers_all_) {
      change = candidates_.improve(value_.data(), next_.data(), action_);
    } else {
      evaluation_.sweep(value_, next_);
      candidates_.improve_listed(list_, value_.data(), next_.data(), action_);
      change = difference(value_, next_);
    }
    std::swap(value_, next_);
    return change;
  }

  std::int64_t evaluate(double measure, double max, bool may_step, std::int64_t max_sweeps) {
    if (max_sweeps < 1) return 0;
    std::copy_n(next_.data(), view_.state_count, reference_.data());  // input of improve()
    evaluation_.take(action_, value_.data());
    const double goal = std::max(forcing * measure, end_share * measure_of_end());
    const std::int64_t sweeps =
        evaluation_.evaluate(measure, goal, may_step, max_sweeps, value_, next_);
    choose_candidates(max);
    return sweeps;
  }

  /// Selects the actions that may be the best for the present values. Others have a shortfall that
  /// exceeds the movement of values since they were examined, with `margin_` left; when it is used
  /// up, all are examined again.
  void choose_candidates(double max) {
    const double movement =
        view_.discount * (1 + 1e-5) * measure_of(difference(reference_, value_), measure_) +
        rounding_of<Real>(max);
    if (considers_all_) margin_ = std::numeric_limits<double>::infinity();
    if (!(movement < margin_)) {
      considers_all_ = true;
      return;
    }
    const double max_shortfall = std::min(reach * movement, margin_);
    list_ = considers_all_ ? candidates_.within(max_shortfall)
                           : candidates_.within(max_shortfall, list_);
    considers_all_ = CandidateActions<Real>::is_too_long(list_);
    margin_ = max_shortfall - movement;
  }

  /// A change with which iteration may end.
  double measure_of_end() const {
    if (options_.stop == StoppingRule::change) return options_.tolerance;
    return 2 * options_.tolerance * (1 - view_.discount) / std::max<double>(view_.discount, 1e-3);
  }

  ValueChange difference(const SliceValues<Real>& before, const SliceValues<Real>& after) const {
    return gather_over_blocks(view_.state_count, options_.threads,
                              [&](std::int64_t begin, std::int64_t end) {
                                return change_between(before.data(), after.data(), begin, end);
                              });
  }

  /// max |V|; NaN if one is NaN.
  double greatest_value() const {
    double max = 0;
    double zero = 0;  // becomes NaN if a value is NaN or infinite
    for (std::int32_t s = 0; s < view_.state_count; ++s) {
      const auto value = static_cast<double>(value_.data()[s]);
      max = std::max(max, std::abs(value));
      zero += value * 0;
    }
    return max + zero;
  }

  ProcessView<Real> view_;
  const SolveOptions& options_;
  ChangeMeasure measure_;
  SliceValues<Real> value_;
  SliceValues<Real> next_;
  std::vector<std::int32_t> action_;  // (state)
  PolicyEvaluation<Real> evaluation_;
  CandidateActions<Real> candidates_;
  SliceValues<Real> reference_;  // values for which shortfalls were computed
  ActionList list_;
  bool considers_all_ = true;
  double margin_ = 0;  // movement of values until the list becomes invalid
};

}  // namespace

// Policies are not evaluated completely, and the change of an improvement shows the error:
// MacQueen's bounds hold for T V with any V. An improvement over a list of candidates equals one
// over all actions while values have moved less than the shortfall of the others. Source: Puterman,
// "Markov Decision Processes", 1994, sections 6.5 and 6.7; candidate_actions.h.
template <class Real>
ProcessSolution<Real> iterate_inexact_policies(const DecisionProcess<Real>& process,
                                               const SolveOptions& options, Progress& progress) {
  if (!(process.discount < 1)) {
    throw input_error(errors::inexact_iteration_without_discount);
  }
  const Stopwatch watch;
  ProcessSolution<Real> solution;
  InexactPolicyIteration<Real> iteration(process, options);
  const ValueChange change = iteration.run(progress, solution);
  centre_values(change, process.discount, options, solution);
  solution.seconds = watch.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(iterate_inexact_policies)

}  // namespace tidewise::mdp
