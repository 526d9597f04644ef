#pragma once

#include <limits>

#include "base/host_device.h"
#include "mdp/stop/sweep_criterion.h"

namespace tidewise::mdp {

/// Whether a sweep may have been the last one, from a change whose differences were rounded to
/// Real: never no where may_stop() says yes of the exact change, and seldom yes where it says no.
/// Sweeps are judged by this, and the one that it lets through exactly, so that their number is the
/// same as of methods which judge every sweep exactly. Trivially copyable, for devices.
template <class Real>
struct StopCriterion {
  bool by_span;  ///< else by the residual
  double limit;  ///< of most − least, or of max |change|
  /// A difference of Reals that rounds at all is off by half a unit in the last place; this also
  /// covers the roundings here, in double.
  double slack = 4.0 * static_cast<double>(std::numeric_limits<Real>::epsilon());

  /// `may_centre` of may_stop() is true.
  static StopCriterion of(double discount, const SolveOptions& options) {
    if (options.stop == StoppingRule::change || !(discount < 1)) return {false, options.tolerance};
    const double factor = discount / (1 - discount);
    return {true,
            factor > 0 ? 2 * options.tolerance / factor : std::numeric_limits<double>::infinity()};
  }
  TIDEWISE_HOST_DEVICE bool may_open(double least, double most) const {
    const double below = least < 0 ? -least : least;
    const double above = most < 0 ? -most : most;
    const double extent = by_span ? most - least : (below > above ? below : above);
    return !(extent - slack * (below + above) > limit * (1 + slack));
  }
};

}  // namespace tidewise::mdp
