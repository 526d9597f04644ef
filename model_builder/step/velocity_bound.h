#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// A closed interval.
struct Interval {
  double min = 0;
  double max = 0;
};

/// Range of one component of the velocity in one cell under every realization, by interval
/// arithmetic: mean + Σ_m [min, max of coefficient_m] · mode_m, widened by the rounding of
/// float32 and of the integers of spread.h, except for the last rounding to a bin. `mode` is
/// strided by cells; coefficients: (mode).
TIDEWISE_HOST_DEVICE inline Interval bound_velocity(float mean, const float* mode,
                                                    std::size_t mode_stride,
                                                    const Interval* coefficients,
                                                    std::int32_t mode_count) {
  const auto magnitude_of = [](double v) { return v < 0 ? -v : v; };
  Interval bound{mean, mean};
  double magnitude = magnitude_of(mean);
  double max = 0;
  for (std::int32_t m = 0; m < mode_count; ++m) {
    const double factor = mode[static_cast<std::size_t>(m) * mode_stride];
    const double a = coefficients[m].min * factor;
    const double b = coefficients[m].max * factor;
    bound.min += b < a ? b : a;
    bound.max += a < b ? b : a;
    const double c = magnitude_of(a);
    const double d = magnitude_of(b);
    const double mode_magnitude = c < d ? d : c;
    magnitude += mode_magnitude;
    max = max < mode_magnitude ? mode_magnitude : max;
  }
  // Rounding errors: about 2^-23 for the mean and for the scaling of mean, coefficients and modes;
  // for each c̃ half of 2^-13 of its mode's largest coefficient; for each m̃ half of its unit,
  // which is 2^(e−12) of the largest mode.
  double modes_rounded = mode_count * 0x1p-11;
  for (std::int32_t modes = 8; modes < mode_count; modes *= 2) modes_rounded *= 2;
  const double slack = magnitude * (mode_count * 0x1p-23 + 0x1p-14 + 0x1p-20) + max * modes_rounded;
  return {bound.min - slack, bound.max + slack};
}

}  // namespace tidewise
