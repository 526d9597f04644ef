#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

struct Interval {
  double least = 0;
  double greatest = 0;
};

/// One component of the velocity in one cell under every realization, by interval arithmetic: mean
/// + Σ_m [least, greatest coefficient_m] · mode_m, widened by what float32 can round. `mode` is
/// strided by cells; coefficients: (mode).
TIDEWISE_HOST_DEVICE inline Interval bound_velocity(float mean, const float* mode,
                                                    std::size_t mode_stride,
                                                    const Interval* coefficients,
                                                    std::int32_t mode_count) {
  const auto magnitude_of = [](double v) { return v < 0 ? -v : v; };
  Interval bound{mean, mean};
  double magnitude = magnitude_of(mean);
  for (std::int32_t m = 0; m < mode_count; ++m) {
    const double factor = mode[static_cast<std::size_t>(m) * mode_stride];
    const double a = coefficients[m].least * factor;
    const double b = coefficients[m].greatest * factor;
    bound.least += b < a ? b : a;
    bound.greatest += a < b ? b : a;
    const double c = magnitude_of(a);
    const double d = magnitude_of(b);
    magnitude += c < d ? d : c;
  }
  // Each of the M fused multiply-adds, and the scaling, rounds by 2^-24 of what it holds at most.
  const double slack = magnitude * (mode_count + 4) * 0x1p-23;
  return {bound.least - slack, bound.greatest + slack};
}

}  // namespace tidewise
