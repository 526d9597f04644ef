#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

// The one order of the sum Σ_Δ n(s,a,Δ) W(s,Δ) (docs/model.md, 3.5): each row of the sub-grid from
// west to east by float32 fused multiply-add from 0, the rows' sums added from south to north, one
// multiplication by float32(1/Nr). An offset with a count of 0 adds exactly nothing as long as its
// W is finite, so any window that holds all landings gives the same bits.

/// The sum over one row of a window.
TIDEWISE_HOST_DEVICE inline float row_sum(const std::uint32_t* count, const float* outcome,
                                          std::int32_t width) {
  float sum = 0.0F;
  for (std::int32_t column = 0; column < width; ++column) {
    sum = std::fma(static_cast<float>(count[column]), outcome[column], sum);
  }
  return sum;
}

/// float32(1/total), of row_total(): Nr where each realization counts for 1.
inline float inverse_count(std::uint32_t total) {
  return static_cast<float>(1.0 / static_cast<double>(total));
}

}  // namespace tidewise
