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

// An evaluation makes this of what the improvement before it changed. Less is wasted on policies
// that are left again, more costs sweeps over all actions (queues took 1.57 s by 0.1, 2.15 by 0.3).
constexpr double forcing = 0.1;
// The last evaluation leaves this share of the change with which iteration may end.
constexpr double end_share = 0.3;
// Candidates fall short by no more than this times what values have moved by in an evaluation: room
// for what they will still move by.
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

  /// Returns what the last improvement changed.
  ValueChange run(Progress& progress, ProcessSolution<Real>& solution) {
    const Stopwatch watch;
    ConvergenceMonitor monitor(view_.state_count, view_.discount, options_,
                               SweepKind::improvements);
    std::int64_t evaluated = 0;  // sweeps
    progress.begin("solving", 0, "sweeps");
    ValueChange change;
    for (;;) {
      change = improve();
      ++solution.improvements;
      ++solution.sweeps;
      const double greatest = greatest_value();
      if (!std::isfinite(greatest)) throw_not_finite(solution.sweeps);
      progress.advance_to(solution.sweeps);
      const Verdict verdict = monitor.after(change, evaluated + 1, rounding_of<Real>(greatest));
      solution.converged = verdict == Verdict::converged;
      if (verdict != Verdict::go_on) break;
      // What a change of a value's last digits stands for may still be 1/(1 − γ) times as much.
      evaluated = evaluate(measure_of(change, measure_), greatest, !monitor.is_stalled(),
                           options_.most_sweeps - solution.sweeps - 1);
      solution.sweeps += evaluated;
    }
    progress.end();
    solution.sweep_seconds = watch.seconds();
    solution.value = value_.to_vector();
    solution.action = std::move(action_);
    return change;
  }

 private:
  /// V ← T V and the greedy policy, over what actions have to be looked at.
  ValueChange improve() {
    ValueChange change;
    if (looks_at_all_) {
      change = candidates_.improve(value_.data(), next_.data(), action_);
    } else {
      evaluation_.sweep(value_, next_);
      candidates_.improve_listed(list_, value_.data(), next_.data(), action_);
      change = difference(value_, next_);
    }
    std::swap(value_, next_);
    return change;
  }

  std::int64_t evaluate(double measure, double greatest, bool may_step, std::int64_t most_sweeps) {
    if (most_sweeps < 1) return 0;
    std::copy_n(next_.data(), view_.state_count, reference_.data());  // what improve() read
    evaluation_.take(action_, value_.data());
    const double goal = std::max(forcing * measure, end_share * measure_of_end());
    const std::int64_t sweeps =
        evaluation_.evaluate(measure, goal, may_step, most_sweeps, value_, next_);
    choose_candidates(greatest);
    return sweeps;
  }

  /// The actions that may be the best for the values that there are now. What is left out falls
  /// short by more than values have moved by since it was looked at, and `margin_` of that is not
  /// used up; where it is, all have to be looked at again.
  void choose_candidates(double greatest) {
    const double moved =
        view_.discount * (1 + 1e-5) * measure_of(difference(reference_, value_), measure_) +
        rounding_of<Real>(greatest);
    if (looks_at_all_) margin_ = std::numeric_limits<double>::infinity();
    if (!(moved < margin_)) {
      looks_at_all_ = true;
      return;
    }
    const double near = std::min(reach * moved, margin_);
    list_ = looks_at_all_ ? candidates_.within(near) : candidates_.within(near, list_);
    looks_at_all_ = CandidateActions<Real>::is_too_long(list_);
    margin_ = near - moved;
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

  /// max |V|; no number where one is none.
  double greatest_value() const {
    double greatest = 0;
    double nothing = 0;  // not a number where a value is none, or infinite
    for (std::int32_t s = 0; s < view_.state_count; ++s) {
      const auto value = static_cast<double>(value_.data()[s]);
      greatest = std::max(greatest, std::abs(value));
      nothing += value * 0;
    }
    return greatest + nothing;
  }

  ProcessView<Real> view_;
  const SolveOptions& options_;
  ChangeMeasure measure_;
  SliceValues<Real> value_;
  SliceValues<Real> next_;
  std::vector<std::int32_t> action_;  // (state)
  PolicyEvaluation<Real> evaluation_;
  CandidateActions<Real> candidates_;
  SliceValues<Real> reference_;  // values that shortfalls are of
  ActionList list_;
  bool looks_at_all_ = true;
  double margin_ = 0;  // that values may still move by before the list is worth nothing
};

}  // namespace

// Policies are not evaluated to the end, and the change of an improvement says how far: MacQueen's
// bounds hold of T V for any V. An improvement over a list of candidates is one over all actions,
// as long as values have not moved further than what is left out falls short by. Source: Puterman,
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
