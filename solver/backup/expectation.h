#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// The sum Σ_Δ n(s,a,Δ) W(s,Δ) in the order that all backups use (docs/model.md, 3.5): each row of
/// the sub-grid from west to east by float32 fused multiply-add from 0, then the rows' sums from
/// south to north, then one multiplication by float32(1/Nr). An offset with a count of 0 adds
/// exactly 0 if its W is finite, so any window that holds all landings gives the same bits.
/// lane_kernels.cpp and warp_backup.h compute the same sum for many members at a time.
struct OrderedSum {
  float total = 0.0F;  ///< sum of the complete rows
  float row = 0.0F;    ///< sum of the current row

  /// Adds a landing to the current row.
  TIDEWISE_HOST_DEVICE void add(float count, float value) { row = std::fma(count, value, row); }
  /// Completes the current row. Changes nothing if the row is empty.
  TIDEWISE_HOST_DEVICE void next_row() {
    total += row;
    row = 0.0F;
  }
  /// Sum of all rows so far.
  TIDEWISE_HOST_DEVICE float sum() const { return total + row; }
};

/// float32(1/total). `total`: row_total(), which is Nr if each realization counts 1.
inline float inverse_count(std::uint32_t total) {
  return static_cast<float>(1.0 / static_cast<double>(total));
}

}  // namespace tidewise
