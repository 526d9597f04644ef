#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "mdp/savings/utility.h"

namespace tidewise::mdp {

/// Interpolation of values between assets.
enum class Interpolation {
  linear,
  cubic  ///< piecewise cubic, rising where the values rise (Fritsch and Butland 1984)
};

/// The savings problem and the current values, in the memory of the backend. Arrays are
/// (productivity, asset), asset innermost. Trivially copyable.
struct SavingsView {
  View<const double> assets;        ///< (asset)
  View<const double> productivity;  ///< (productivity)
  View<const double> transition;    ///< (productivity from, to)
  double wage = 0;
  double growth = 1;  ///< 1 + r
  double discount = 0;
  Interpolation interpolation = Interpolation::cubic;
  View<double> value;        ///< V, (productivity, asset)
  View<double> value_next;   ///< V of the present sweep
  View<double> expected;     ///< E[V(a', ε') | ε], (productivity of ε, asset a')
  View<double> slope;        ///< its slope by a'; unused by Interpolation::linear
  View<double> saving;       ///< a', (productivity, asset)
  View<std::int32_t> place;  ///< index of a' among the assets, on the grid
  UtilityView utility;
  std::size_t first_row = 0;  ///< productivity of the first row of `expected` and `slope`

  TIDEWISE_HOST_DEVICE std::size_t asset_count() const { return assets.size; }
  TIDEWISE_HOST_DEVICE std::size_t state_count() const { return assets.size * productivity.size; }

  /// Begin of the row of a productivity in `expected` and `slope`.
  TIDEWISE_HOST_DEVICE std::size_t row(std::size_t e) const {
    return (e - first_row) * assets.size;
  }

  /// Resources for consumption and saving: (1 + r) a + w ε.
  TIDEWISE_HOST_DEVICE double resources(std::size_t e, std::size_t i) const {
    return std::fma(growth, assets[i], wage * productivity[e]);
  }

  /// u(c) + β `later`. Consumption below the allowed minimum is worse than everything else.
  TIDEWISE_HOST_DEVICE double total_utility(double consumption, double later) const {
    constexpr double starvation = -1e300;
    if (!utility.allows(consumption)) return starvation;
    return std::fma(discount, later, utility.value(consumption));
  }

  /// The interval of the assets that contains a: 0 … count − 2.
  TIDEWISE_HOST_DEVICE std::size_t interval(double a) const {
    const std::size_t last = assets.size - 2;
    const double share = (a - assets[0]) / (assets[last + 1] - assets[0]);
    // Exact for make_assets(), except for rounding.
    const double guess = std::sqrt(share > 0 ? share : 0.0) * static_cast<double>(last + 1);
    std::size_t i = guess < static_cast<double>(last) ? static_cast<std::size_t>(guess) : last;
    if (i > 0 && a < assets[i]) --i;
    if (i < last && a >= assets[i + 1]) ++i;
    if ((i == 0 || a >= assets[i]) && (i == last || a < assets[i + 1])) return i;
    std::size_t low = 0;  // another grid: bisect
    std::size_t high = last + 1;
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (a < assets[middle] ? high : low) = middle;
    }
    return low;
  }

  /// E[V(a, ε') | ε] between the assets.
  TIDEWISE_HOST_DEVICE double expected_at(std::size_t e, double a) const {
    const std::size_t i = interval(a);
    const double* y = expected.data + row(e);
    const double t = (a - assets[i]) / (assets[i + 1] - assets[i]);
    if (interpolation == Interpolation::linear) return std::fma(t, y[i + 1] - y[i], y[i]);
    return monotone_cubic(assets, y, slope.data + row(e), i, t);
  }
};

}  // namespace tidewise::mdp
