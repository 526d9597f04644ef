#include "mdp/stop/sweep_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "mdp/stop/sweep_criterion.h"

namespace tidewise::mdp {
namespace {

// A smaller fall is taken for rounding; a process that falls so little in `least_patience` sweeps
// would need hundreds of millions of them.
constexpr double least_fall = 1e-4;
constexpr double least_patience = 1000;

}  // namespace

void throw_not_finite(std::int64_t sweeps) {
  throw RunError(fmt::format(
      "after {} sweeps a value is no finite number any more: rewards are too large for the "
      "precision, or a loop gains without end",
      sweeps));
}

SweepMonitor::SweepMonitor(std::int32_t state_count, double discount, const SolveOptions& options,
                           bool may_centre)
    : discount_(discount),
      options_(options),
      may_centre_(may_centre),
      patience_(std::max(least_patience, discount < 1 ? 4 / (1 - discount) : 2.0 * state_count)) {}

SweepVerdict SweepMonitor::validate(const ValueChange& change, std::int64_t count) {
  sweeps_ += count;
  look_ = false;
  if (!std::isfinite(change.residual())) throw_not_finite(sweeps_);
  if (may_stop(change, discount_, options_, may_centre_)) return SweepVerdict::converged;
  if (sweeps_ >= options_.most_sweeps || is_hopeless(change)) return SweepVerdict::given_up;
  look_ = !(discount_ < 1) && sweeps_ >= next_look_ && change.most > options_.tolerance;
  while (next_look_ <= sweeps_) next_look_ *= 2;
  return SweepVerdict::go_on;
}

bool SweepMonitor::is_hopeless(const ValueChange& change) {
  const double residual = change.residual();
  const double watched = discount_ < 1 ? residual : std::max(change.most, 0.0);
  if (watched < least_ * (1 - least_fall)) {
    least_ = watched;
    last_fall_ = sweeps_;
    return false;
  }
  // Beside values that sink fast a rise may be rounding.
  if (watched < residual / 2) return false;
  const auto patience =
      discount_ < 1 ? patience_ : std::max(patience_, static_cast<double>(last_fall_));
  return static_cast<double>(sweeps_ - last_fall_) >= patience;
}

}  // namespace tidewise::mdp
