#pragma once

#include <cmath>

namespace tidewise {

/// Rounds to two significant digits: 1273 to 1300. Requires value > 0.
inline double two_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

}  // namespace tidewise
