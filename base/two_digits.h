#pragma once

#include <cmath>

namespace tidewise {

/// The nearest number of two significant digits: 1300 of 1273. Requires value > 0.
inline double two_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

}  // namespace tidewise
