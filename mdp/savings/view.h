#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "base/same_bits.h"

namespace tidewise::mdp {

/// How a value is read between assets.
enum class Interpolation {
  linear,
  cubic  ///< piecewise cubic, rising where the values rise (Fritsch and Butland 1984)
};

/// The savings problem and the values at hand, in the memory of whoever works. (productivity,
/// asset) arrays have the asset innermost. Trivially copyable.
struct SavingsView {
  View<const double> assets;        ///< (asset)
  View<const double> productivity;  ///< (productivity)
  View<const double> transition;    ///< (productivity from, to)
  double wage = 0;
  double growth = 1;  ///< 1 + r
  double discount = 0;
  Interpolation interpolation = Interpolation::cubic;
  View<double> value;        ///< V, (productivity, asset)
  View<double> value_next;   ///< V of the sweep at work
  View<double> expected;     ///< E[V(a', ε') | ε], (productivity of ε, asset a')
  View<double> slope;        ///< its slope by a'; unused by Interpolation::linear
  View<double> saving;       ///< a', (productivity, asset)
  View<std::int32_t> place;  ///< which of the assets a' is, on the grid

  TIDEWISE_HOST_DEVICE std::size_t asset_count() const { return assets.size; }
  TIDEWISE_HOST_DEVICE std::size_t state_count() const { return assets.size * productivity.size; }

  /// What there is to consume and to save: (1 + r) a + w ε.
  TIDEWISE_HOST_DEVICE double resources(std::size_t e, std::size_t i) const {
    return std::fma(growth, assets[i], wage * productivity[e]);
  }

  /// ln c + β `later`. Nothing is worse than to consume nothing.
  TIDEWISE_HOST_DEVICE double worth(double consumption, double later) const {
    constexpr double starvation = -1e300;
    constexpr double least = 1e-300;
    if (!(consumption > least)) return starvation;
    return std::fma(discount, later, same_bits_log(consumption));
  }

  /// The interval of the assets that holds a: 0 … count − 2.
  TIDEWISE_HOST_DEVICE std::size_t interval(double a) const {
    const std::size_t last = assets.size - 2;
    const double share = (a - assets[0]) / (assets[last + 1] - assets[0]);
    // Where make_assets() has it, give or take what rounding does.
    const double guess = std::sqrt(share > 0 ? share : 0.0) * static_cast<double>(last + 1);
    std::size_t i = guess < static_cast<double>(last) ? static_cast<std::size_t>(guess) : last;
    while (i > 0 && a < assets[i]) --i;
    while (i < last && a >= assets[i + 1]) ++i;
    return i;
  }

  /// E[V(a, ε') | ε] between the assets.
  TIDEWISE_HOST_DEVICE double expected_at(std::size_t e, double a) const {
    const std::size_t i = interval(a);
    const std::size_t n = e * assets.size + i;
    const double width = assets[i + 1] - assets[i];
    const double t = (a - assets[i]) / width;
    if (interpolation == Interpolation::linear) {
      return std::fma(t, expected[n + 1] - expected[n], expected[n]);
    }
    const double rise = expected[n + 1] - expected[n];
    const double begin = slope[n] * width - rise;
    const double end = rise - slope[n + 1] * width;
    return std::fma(t, rise, expected[n]) + t * (1 - t) * (begin * (1 - t) + end * t);
  }
};

}  // namespace tidewise::mdp
