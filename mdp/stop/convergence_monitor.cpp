#include "mdp/stop/convergence_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "mdp/stop/criterion.h"

namespace tidewise::mdp {
namespace {

constexpr double min_patience = 1000;  // [sweeps]
// Limit of the sweeps between two looks, short enough for interruptions by the user.
constexpr std::int64_t max_unseen = 64;
// Number of improvements between two changes that are compared.
constexpr std::int64_t stall_period = 8;
// A smaller number of improvements is not conclusive, however many evaluation sweeps they contain;
// before rounding is reached, this many times more.
constexpr std::int64_t min_improvements = 20;
constexpr int patience_before_rounding = 100;

/// A relative decrease below a ten-thousandth is taken for rounding; a process that decreases so
/// little in `min_patience` sweeps would need hundreds of millions of them.
double decrease_factor_of(SweepKind kind, double discount) {
  if (discount < 1 && kind == SweepKind::improvements) return 0.9;
  const bool sees_few_sweeps = kind == SweepKind::batches || kind == SweepKind::launches;
  return discount < 1 && sees_few_sweeps ? 1 : 1 - 1e-4;
}

bool sees_each_sweep(SweepKind kind) {
  return kind == SweepKind::in_place || kind == SweepKind::jacobi;
}

}  // namespace

ConvergenceMonitor::ConvergenceMonitor(std::int32_t state_count, double discount,
                                       const SolveOptions& options, SweepKind kind)
    : discount_(discount),
      options_(options),
      kind_(kind),
      patience_(std::max(min_patience, discount < 1 ? 4 / (1 - discount) : 2.0 * state_count)),
      decrease_factor_(decrease_factor_of(kind, discount)) {}

Verdict ConvergenceMonitor::after(const ValueChange& change, std::int64_t count, double rounding) {
  sweeps_ += count;
  ++looks_;
  looks_closely_ = false;
  // With γ < 1 an improvement may correct values that evaluation made too large.
  const bool must_be_finite = sees_each_sweep(kind_) || !(discount_ < 1);
  if (must_be_finite && !std::isfinite(change.residual())) throw_not_finite(sweeps_);
  const bool may_centre = kind_ != SweepKind::in_place;
  if (options_.history != nullptr) add_to_history(change, may_centre);
  if (may_stop(change, discount_, options_, may_centre)) return Verdict::converged;
  if (kind_ == SweepKind::batches) predict_rate(measure(change));
  if (kind_ == SweepKind::launches) lower_goal(measure(change));
  watch_rounding(change, rounding);
  if (sweeps_ >= options_.max_sweeps || is_beyond_improvement(change)) return Verdict::given_up;
  looks_closely_ =
      !(discount_ < 1) && sweeps_ >= next_close_look_ && change.max > options_.tolerance;
  while (next_close_look_ <= sweeps_) next_close_look_ *= 2;
  return Verdict::go_on;
}

Verdict ConvergenceMonitor::after_centring(const ValueChange& change) {
  ++sweeps_;
  if (!std::isfinite(change.residual())) throw_not_finite(sweeps_);
  if (options_.history != nullptr) add_to_history(change, true);
  if (may_stop(change, discount_, options_, true)) return Verdict::converged;
  return sweeps_ >= options_.max_sweeps ? Verdict::given_up : Verdict::go_on;
}

void ConvergenceMonitor::add_to_history(const ValueChange& change, bool may_centre) const {
  const ErrorBounds bounds = bounds_after(change, discount_);
  // With γ = 1 a sweep that changes nothing may still be far from the optimum.
  const double error = !(discount_ < 1) ? std::numeric_limits<double>::infinity()
                       : may_centre     ? bounds.centred_error()
                                        : bounds.error();
  options_.history->push_back({sweeps_, watch_.seconds(), change.residual(), error});
}

/// A sweep's change relative to the limit of may_stop(), in units of the tolerance.
double ConvergenceMonitor::measure(const ValueChange& change) const {
  const double error = centres(discount_, options_)
                           ? bounds_after(change, discount_).centred_error()
                           : change.residual();
  return error == 0 ? 0 : error / options_.tolerance;
}

bool ConvergenceMonitor::is_beyond_improvement(const ValueChange& change) {
  const double residual = change.residual();
  if (!(discount_ < 1)) {
    const double rise = std::max(change.max, 0.0);
    const bool is_rise_stagnant =
        is_stagnant(rise, std::max(patience_, static_cast<double>(last_decrease_)));
    // With fast decreasing values a rise may be rounding.
    return is_rise_stagnant && !(rise < residual / 2);
  }
  switch (kind_) {
    case SweepKind::launches:
      return are_launches_uninformative_;
    case SweepKind::batches:
      return is_stagnant(measure(change), std::floor(patience_) + 1);
    case SweepKind::improvements:
      return is_stagnant(size_of(change),
                         (is_rounding_ ? 1 : patience_before_rounding) * patience_);
    default:
      return is_stagnant(residual, patience_);
  }
}

/// Size of an improvement's change: its range and, if values will not be centred, also its distance
/// from 0.
double ConvergenceMonitor::size_of(const ValueChange& change) const {
  if (kind_ != SweepKind::improvements || centres(discount_, options_)) {
    return change.max - change.min;
  }
  return std::max(change.max, 0.0) - std::min(change.min, 0.0);
}

/// True if the measure has not decreased for `patience` sweeps and, for improvements, for enough of
/// them.
bool ConvergenceMonitor::is_stagnant(double measure, double patience) {
  if (measure < min_measure_ * decrease_factor_) {
    min_measure_ = measure;
    last_decrease_ = sweeps_;
    last_decrease_look_ = looks_;
    return false;
  }
  const std::int64_t min = (is_rounding_ ? 1 : patience_before_rounding) * min_improvements;
  if (kind_ == SweepKind::improvements && looks_ - last_decrease_look_ < min) return false;
  return static_cast<double>(sweeps_ - last_decrease_) >= patience;
}

void ConvergenceMonitor::predict_rate(double measure) {
  log_rate_ = 0;
  if (measure_ > 0 && measure > 0 && measure < measure_ && sweeps_ > last_look_) {
    log_rate_ = std::log(measure / measure_) / static_cast<double>(sweeps_ - last_look_);
  }
  last_look_ = sweeps_;
  measure_ = measure;
}

std::int64_t ConvergenceMonitor::sure_sweeps() const {
  const std::int64_t patience = this->patience();
  std::int64_t end =
      last_decrease_ + patience;  // earliest sweep at which is_beyond_improvement() may be true
  if (!(discount_ < 1)) {
    end = std::min(last_decrease_ + std::max(patience, last_decrease_), next_close_look_);
  }
  return std::max<std::int64_t>(1, std::min(end, options_.max_sweeps) - sweeps_);
}

std::int64_t ConvergenceMonitor::sweeps_until_look() const {
  if (!(log_rate_ < 0) || !(measure_ > goal_) || !(goal_ > 0)) return 1;
  const double needed = std::log(goal_ / measure_) / log_rate_;
  // Slightly fewer than predicted, and few compared with those done, because the prediction fails
  // if values converge suddenly, for example when a goal's value has reached every state.
  const std::int64_t max = std::clamp(last_look_ / 8, std::int64_t{1}, max_unseen);
  return std::clamp(static_cast<std::int64_t>(std::min(0.9 * needed, 1e6)), std::int64_t{1}, max);
}

void ConvergenceMonitor::after_launches(const ValueChange& change, std::int64_t count) {
  sweeps_ += count;
  predict_rate(measure(change));
  // With γ = 1 the confirming sweeps are monitored instead.
  are_launches_uninformative_ = discount_ < 1 && is_stagnant(measure_, std::floor(patience_) + 1);
  is_sweep_due_ =
      measure_ <= goal_ || sweeps_ >= 2 * last_confirmation_ + 64 || are_launches_uninformative_;
}

/// Lowers the goal after a confirming sweep that did not confirm, because it found `measure`.
void ConvergenceMonitor::lower_goal(double measure) {
  if (measure_ <= goal_ && measure > 0) {
    goal_ = std::min(0.9 * goal_, std::max(0.1 * measure_, 0.9 * measure_ / measure));
  }
  last_confirmation_ = sweeps_;
  is_sweep_due_ = false;
}

void ConvergenceMonitor::watch_rounding(const ValueChange& change, double rounding) {
  const double span = change.max - change.min;
  is_rounding_ = size_of(change) <= rounding;
  if (!is_rounding_) {
    rounding_count_ = 0;
  } else if (rounding_count_++ % stall_period == 0) {
    is_stalled_ = is_stalled_ || (rounding_count_ > 1 && span > 0.9 * previous_span_);
    previous_span_ = span;
  }
}

void throw_not_finite(std::int64_t sweeps) {
  throw RunError(
      fmt::format("after {} sweeps a value is not finite: rewards are too large for the "
                  "precision, or a loop gains without end",
                  sweeps));
}

ValueChange finite_change(const ChangeSlot<double>& slot, std::string_view method,
                          std::int64_t sweeps) {
  const ValueChange change = slot.change();
  if (std::isfinite(change.min) && std::isfinite(change.max)) return change;
  throw RunError(
      fmt::format("{}: after {} sweeps a value is not finite: rewards are too large for this "
                  "precision, or values grow without end; use double precision or a discount "
                  "below 1",
                  method, sweeps));
}

}  // namespace tidewise::mdp
