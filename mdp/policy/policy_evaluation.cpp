#include "mdp/policy/policy_evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mdp/process/state_blocks.h"

namespace tidewise::mdp {
namespace {

// If one of this number of states changed its action, further evaluation is wasted on a policy that
// will change again: with a discount near 1 it would take much longer than the whole solve. Such an
// evaluation is limited to shallow_sweeps; others to deep_sweeps if Krylov steps do not help
// (measured on the worlds of sample_worlds.h).
constexpr std::int64_t share_of_changes = 50;
constexpr std::int64_t shallow_sweeps = 10;
constexpr std::int64_t deep_sweeps = 100;
// After this number of shallow evaluations all are deep: iteration could otherwise alternate for
// ever between policies that few sweeps cannot distinguish.
constexpr std::int64_t max_shallow = 50;
// Products with P_π of one evaluation by Krylov steps.
constexpr std::int64_t max_krylov_products = 150;
// The rate of convergence is known after this number of sweeps.
constexpr std::int64_t min_rate_sweeps = 3;
// If more than this number of sweeps remain, Krylov steps replace them, each as expensive as four
// sweeps (a guess that worked for queues and random rows; no other was tried).
constexpr double max_remaining_sweeps = 20;
// After this number of consecutive evaluations without success Krylov steps are no longer tried.
constexpr std::int32_t max_failures = 5;
// The residual of Krylov steps may grow before it shrinks; beyond this factor they have failed.
constexpr double max_growth = 10;

}  // namespace

double measure_of(const ValueChange& change, ChangeMeasure measure) {
  if (measure == ChangeMeasure::between_states) return change.max - change.min;
  return std::max(change.max, 0.0) - std::min(change.min, 0.0);
}

template <class Real>
PolicyEvaluation<Real>::PolicyEvaluation(const ProcessView<Real>& process, ChangeMeasure measure,
                                         Evaluator evaluator, std::int32_t threads)
    : measure_(measure), evaluator_(evaluator), threads_(threads), rows_(process, threads) {}

template <class Real>
void PolicyEvaluation<Real>::take(const std::vector<std::int32_t>& action, const Real* value) {
  const std::int64_t changed = rows_.take(action, value);
  may_go_deep_ = shallow_ >= max_shallow || changed * share_of_changes <= std::ssize(action);
  if (!may_go_deep_) ++shallow_;
}

template <class Real>
ValueChange PolicyEvaluation<Real>::sweep(const SliceValues<Real>& value,
                                          SliceValues<Real>& next) const {
  return rows_.sweep(value.data(), next.data());
}

template <class Real>
std::int64_t PolicyEvaluation<Real>::evaluate(double last_change, double goal, bool may_step,
                                              std::int64_t max_sweeps, SliceValues<Real>& value,
                                              SliceValues<Real>& next) {
  const std::int64_t max = std::min(may_go_deep_ ? deep_sweeps : shallow_sweeps, max_sweeps);
  for (std::int64_t sweeps = 1; sweeps <= max; ++sweeps) {
    const double present_change = measure_of(sweep(value, next), measure_);
    std::swap(value, next);
    if (!(present_change > goal)) return sweeps;  // or NaN, which the next improvement detects
    const double rate = present_change / last_change;
    last_change = present_change;
    const std::int64_t products = std::min(max_krylov_products, max_sweeps - sweeps - 2);
    if (may_step && products >= 2 && should_step(present_change, rate, goal, sweeps)) {
      return sweeps + step(present_change, goal, products, value, next);
    }
  }
  return max;
}

/// True if Krylov steps should reduce a change of `present_change` to `goal`; sweeps reduce it by
/// `rate` each.
template <class Real>
bool PolicyEvaluation<Real>::should_step(double present_change, double rate, double goal,
                                         std::int64_t sweeps) const {
  if (evaluator_ != Evaluator::automatic) return evaluator_ == Evaluator::krylov;
  if (!may_go_deep_ || sweeps < min_rate_sweeps || failures_ >= max_failures) return false;
  return rate >= 1 || std::log(goal / present_change) / std::log(rate) > max_remaining_sweeps;
}

/// Runs Krylov steps, and then a sweep that shows whether they helped.
template <class Real>
std::int64_t PolicyEvaluation<Real>::step(double present_change, double goal,
                                          std::int64_t max_products, SliceValues<Real>& value,
                                          SliceValues<Real>& next) {
  if (krylov_ == nullptr) {
    krylov_ = std::make_unique<KrylovEvaluation<Real>>(value.state_count(), measure_, threads_);
  }
  sweep(value, next);
  std::int64_t sweeps = 2;
  sweeps += krylov_->improve(rows_, goal, max_products, value.data(), next.data());
  // `next` is the result of Krylov steps; `value` is kept for the case of failure.
  SliceValues<Real> swept(value.state_count());
  const double final_change = measure_of(sweep(next, swept), measure_);
  failures_ = final_change < present_change ? 0 : failures_ + 1;
  if (final_change < max_growth * present_change) std::swap(value, swept);
  return sweeps;
}

template class PolicyEvaluation<float>;
template class PolicyEvaluation<double>;

}  // namespace tidewise::mdp
