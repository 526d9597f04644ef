#pragma once

#include <cmath>
#include <cstddef>

#include "base/host_device.h"
#include "base/memory/view.h"

namespace tidewise::mdp {

// Monotone piecewise cubic interpolation (Fritsch and Butland 1984).

namespace monotone {

/// Slope at an inner point, from the secants and widths of the intervals on both sides.
TIDEWISE_HOST_DEVICE inline double between(double before, double after, double secant_before,
                                           double secant_after) {
  if (!(secant_before * secant_after > 0)) return 0;
  const double w_before = 2 * after + before;
  const double w_after = after + 2 * before;
  return (w_before + w_after) / (w_before / secant_before + w_after / secant_after);
}

/// Slope at an end point, limited such that the interpolation stays monotone.
TIDEWISE_HOST_DEVICE inline double at_end(double near, double far, double secant_near,
                                          double secant_far) {
  const double slope = ((2 * near + far) * secant_near - near * secant_far) / (near + far);
  if (!(slope * secant_near > 0)) return 0;
  const bool is_turning = !(secant_near * secant_far > 0);
  const bool is_steep = slope * slope > 9 * secant_near * secant_near;
  return is_turning && is_steep ? 3 * secant_near : slope;
}

}  // namespace monotone

/// The slope of y(x) at x[i]: the weighted harmonic mean of the secants on both sides, 0 if they
/// have different signs; at the ends that of the parabola through three points. Requires at least
/// three points and ascending x; y has the same length.
TIDEWISE_HOST_DEVICE inline double monotone_slope(View<const double> x, const double* y,
                                                  std::size_t i) {
  const auto width = [&](std::size_t n) { return x[n + 1] - x[n]; };
  const auto secant = [&](std::size_t n) { return (y[n + 1] - y[n]) / width(n); };
  const std::size_t last = x.size - 1;
  if (i == 0) return monotone::at_end(width(0), width(1), secant(0), secant(1));
  if (i == last) {
    return monotone::at_end(width(last - 1), width(last - 2), secant(last - 1), secant(last - 2));
  }
  return monotone::between(width(i - 1), width(i), secant(i - 1), secant(i));
}

/// y at the fraction t of the interval [x[i], x[i + 1]], with the slopes of monotone_slope().
TIDEWISE_HOST_DEVICE inline double monotone_cubic(View<const double> x, const double* y,
                                                  const double* slope, std::size_t i, double t) {
  const double width = x[i + 1] - x[i];
  const double rise = y[i + 1] - y[i];
  const double begin = slope[i] * width - rise;
  const double end = rise - slope[i + 1] * width;
  return std::fma(t, rise, y[i]) + t * (1 - t) * (begin * (1 - t) + end * t);
}

}  // namespace tidewise::mdp
