#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// A maximum of a function: position and value.
struct Maximum {
  double at = 0;
  double value = 0;
};

/// Factor by which a step of golden section shortens a bracket: (√5 − 1)/2.
inline constexpr double golden_ratio = 0.61803398874989484820;

/// The maximum of a function with one peak on [low, high] by golden section (Kiefer 1953): `steps`
/// steps of one evaluation each, which shorten the bracket to golden_ratio^(steps + 1) of its
/// length. Returns the best of all evaluated points including both ends, on a tie the first; so for
/// a function with several peaks the result is never worse than the ends. The number of steps is
/// fixed, so that host and device do the same. Function: double(double). Requires low <= high and
/// that no value is NaN.
template <class Function>
TIDEWISE_HOST_DEVICE Maximum golden_section(const Function& function, double low, double high,
                                            std::int32_t steps) {
  Maximum best{low, function(low)};
  const auto evaluate = [&](double at) {
    const double value = function(at);
    if (value > best.value) best = {at, value};
    return value;
  };
  evaluate(high);
  double left = high - golden_ratio * (high - low);
  double right = low + golden_ratio * (high - low);
  double left_value = evaluate(left);
  double right_value = evaluate(right);
  for (std::int32_t step = 0; step < steps; ++step) {
    if (left_value >= right_value) {
      high = right;
      right = left;
      right_value = left_value;
      left = high - golden_ratio * (high - low);
      left_value = evaluate(left);
    } else {
      low = left;
      left = right;
      left_value = right_value;
      right = low + golden_ratio * (high - low);
      right_value = evaluate(right);
    }
  }
  return best;
}

}  // namespace tidewise
