#pragma once

#include <cmath>
#include <cstddef>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "base/same_bits.h"
#include "mdp/savings/monotone_cubic.h"

namespace tidewise::mdp {

/// The utility u(c) of consumption: a table with a monotone cubic between its points, or ln c if
/// the table is empty. Trivially copyable.
struct UtilityView {
  View<const double> consumption;  ///< ascending
  View<const double> utility;      ///< u, (consumption)
  View<const double> slope;        ///< monotone_slope(), (consumption)

  /// True if c is allowed: ln c is a number, or the table covers c.
  TIDEWISE_HOST_DEVICE bool allows(double c) const {
    constexpr double min = 1e-300;
    return consumption.empty() ? c > min : c >= consumption[0];
  }

  /// u(c). Requires allows(c).
  TIDEWISE_HOST_DEVICE double value(double c) const {
    if (consumption.empty()) return same_bits_log(c);
    const std::size_t i = interval(c);
    const double t = (c - consumption[i]) / (consumption[i + 1] - consumption[i]);
    return monotone_cubic(consumption, utility.data, slope.data, i, t);
  }

  /// u'(c). Requires allows(c).
  TIDEWISE_HOST_DEVICE double marginal(double c) const {
    if (consumption.empty()) return 1 / c;
    const std::size_t i = interval(c);
    const double width = consumption[i + 1] - consumption[i];
    const double t = (c - consumption[i]) / width;
    const double secant = (utility[i + 1] - utility[i]) / width;
    return 6 * t * (1 - t) * secant + (1 - t) * (1 - 3 * t) * slope[i] +
           t * (3 * t - 2) * slope[i + 1];
  }

 private:
  TIDEWISE_HOST_DEVICE std::size_t interval(double c) const {
    std::size_t low = 0;
    std::size_t high = consumption.size - 1;
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (c < consumption[middle] ? high : low) = middle;
    }
    return low;
  }
};

}  // namespace tidewise::mdp
