#pragma once

#include <cmath>
#include <limits>

#include "base/host_device.h"
#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// True if iteration may end after a Jacobi sweep with this change. `may_centre`: the method adds
/// the bounds' middle() to its values at the end, as all except sweeps in place do with
/// StoppingRule::error.
inline bool may_stop(const ValueChange& change, double discount, const SolveOptions& options,
                     bool may_centre) {
  if (options.stop == StoppingRule::policy)
    return false;  // the change does not show a stable policy
  if (options.stop == StoppingRule::change || !(discount < 1)) {
    return change.residual() < options.tolerance;
  }
  const ErrorBounds bounds = bounds_after(change, discount);
  return (may_centre ? bounds.centred_error() : bounds.error()) <= options.tolerance;
}

/// True if values are moved to the middle of the bounds at the end: with StoppingRule::error and γ
/// < 1, where this makes them as accurate as requested.
inline bool centres(double discount, const SolveOptions& options) {
  return options.stop == StoppingRule::error && discount < 1;
}

/// Actions whose values differ by at most this are equally good, and a solution has the lowest of
/// them; always choosing them loses at most the tolerance. `value`: the state's value, for a
/// relative tolerance. With γ = 1 no such loss is allowed.
inline double tie_within(double discount, const SolveOptions& options, double value) {
  const bool is_share = options.error_measure == ErrorMeasure::relative;
  return (1 - discount) * options.tolerance * (is_share ? std::abs(value) : 1);
}

/// A test whether a sweep may have been the last one, from a change whose differences were rounded
/// to Real: true whenever may_stop() is true for the exact change, and rarely otherwise. The sweep
/// that passes is then tested exactly, so that the number of sweeps equals that of methods that
/// test each one exactly. Trivially copyable, for devices.
template <class Real>
struct StopCriterion {
  bool by_span;  ///< else by the residual
  double limit;  ///< limit of the range, or of max |change|
  /// A rounded difference of Reals is off by at most half a unit in the last place; the slack also
  /// covers the roundings here, in double.
  double slack = 4.0 * static_cast<double>(std::numeric_limits<Real>::epsilon());

  /// The criterion with `may_centre` of may_stop() true.
  static StopCriterion of(double discount, const SolveOptions& options) {
    if (!centres(discount, options)) return {false, options.tolerance};
    const double factor = discount / (1 - discount);
    return {true,
            factor > 0 ? 2 * options.tolerance / factor : std::numeric_limits<double>::infinity()};
  }
  TIDEWISE_HOST_DEVICE bool may_be_last(double min, double max) const {
    const double below = min < 0 ? -min : min;
    const double above = max < 0 ? -max : max;
    const double extent = by_span ? max - min : (below > above ? below : above);
    return !(extent - slack * (below + above) > limit * (1 + slack));
  }
};

}  // namespace tidewise::mdp
