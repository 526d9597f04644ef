#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/host_device.h"

namespace tidewise::mdp {

/// Change of values by a sweep V' = T V: minimum and maximum of V'(s) − V(s). Terminal states
/// contribute 0. NaN is ignored, because a monitor of every sweep detects infinite values first.
struct ValueChange {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  TIDEWISE_HOST_DEVICE void include(double change) {
    min = change < min ? change : min;
    max = change > max ? change : max;
  }
  TIDEWISE_HOST_DEVICE void include(const ValueChange& other) {
    min = other.min < min ? other.min : min;
    max = other.max > max ? other.max : max;
  }
  /// max |V' − V|: the Bellman residual of V.
  double residual() const { return std::max(std::abs(min), std::abs(max)); }
};

/// Bounds of the optimal value: V* − V' in [lower, upper] in every state (0 in terminal ones),
/// without rounding.
struct ErrorBounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// Bound of the error of V'.
  double error() const { return std::max(std::abs(lower), std::abs(upper)); }
  /// Bound of the error after middle() is added in every state that is not terminal.
  double centred_error() const { return (upper - lower) / 2; }
  double middle() const { return (lower + upper) / 2; }
};

/// MacQueen's bounds: γ/(1−γ) min(V' − V) ≤ V* − V' ≤ γ/(1−γ) max(V' − V), for a sweep V' = T V
/// that only reads V. With γ = 1 they are unknown, unless the sweep changed nothing and so found a
/// fixed point. Source: MacQueen, "A modified dynamic programming method for Markovian decision
/// problems", J. Math. Anal. Appl. 14, 1966; Puterman, "Markov Decision Processes", 1994, section
/// 6.6.
inline ErrorBounds bounds_after(const ValueChange& change, double discount) {
  if (change.min == 0 && change.max == 0) return {0, 0};
  if (!(discount < 1)) return {};
  const double factor = discount / (1 - discount);
  return {factor * change.min, factor * change.max};
}

}  // namespace tidewise::mdp
