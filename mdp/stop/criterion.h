#pragma once

#include <cmath>
#include <limits>

#include "base/host_device.h"
#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Whether iteration may end after a Jacobi sweep that changed values as `change` says.
/// `may_centre`: whether the method adds the bounds' middle() to its values at the end, as all but
/// sweeps in place do under StoppingRule::error.
inline bool may_stop(const ValueChange& change, double discount, const SolveOptions& options,
                     bool may_centre) {
  if (options.stop == StoppingRule::policy) return false;  // which the change does not show
  if (options.stop == StoppingRule::change || !(discount < 1)) {
    return change.residual() < options.tolerance;
  }
  const ErrorBounds bounds = bounds_after(change, discount);
  return (may_centre ? bounds.centred_error() : bounds.error()) <= options.tolerance;
}

/// Whether values are to be moved by the bounds' middle at the end: under StoppingRule::error with
/// γ < 1, where that is what makes them as good as was asked.
inline bool centres(double discount, const SolveOptions& options) {
  return options.stop == StoppingRule::error && discount < 1;
}

/// Actions whose values differ by no more than this are equally good, and a solution has the lowest
/// of them: to take them for ever loses tolerance at most. `own`: the state's value, of which a
/// relative tolerance is a share. With γ = 1 there is no such loss to allow.
inline double tie_within(double discount, const SolveOptions& options, double own) {
  const bool is_share = options.error_measure == ErrorMeasure::relative;
  return (1 - discount) * options.tolerance * (is_share ? std::abs(own) : 1);
}

/// Whether a sweep may have been the last one, from a change whose differences were rounded to
/// Real: never no where may_stop() says yes of the exact change, and seldom yes where it says no.
/// Sweeps are told apart by this, and the one that it lets through exactly, so that their number is
/// the same as of methods which know every sweep exactly. Trivially copyable, for devices.
template <class Real>
struct StopCriterion {
  bool by_span;  ///< else by the residual
  double limit;  ///< of most − least, or of max |change|
  /// A difference of Reals that rounds at all is off by half a unit in the last place; this also
  /// covers the roundings here, in double.
  double slack = 4.0 * static_cast<double>(std::numeric_limits<Real>::epsilon());

  /// `may_centre` of may_stop() is true.
  static StopCriterion of(double discount, const SolveOptions& options) {
    if (!centres(discount, options)) return {false, options.tolerance};
    const double factor = discount / (1 - discount);
    return {true,
            factor > 0 ? 2 * options.tolerance / factor : std::numeric_limits<double>::infinity()};
  }
  TIDEWISE_HOST_DEVICE bool may_be_last(double least, double most) const {
    const double below = least < 0 ? -least : least;
    const double above = most < 0 ? -most : most;
    const double extent = by_span ? most - least : (below > above ? below : above);
    return !(extent - slack * (below + above) > limit * (1 + slack));
  }
};

}  // namespace tidewise::mdp
