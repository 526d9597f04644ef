#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// The one order of the sum Σ_Δ n(s,a,Δ) W(s,Δ) (docs/model.md, 3.5): each row of the sub-grid from
/// west to east by float32 fused multiply-add from 0, the rows' sums added from south to north, one
/// multiplication by float32(1/Nr). An offset with a count of 0 adds exactly nothing as long as its
/// W is finite, so any window that holds all landings gives the same bits. lane_kernels.cpp and
/// warp_backup.h do the same for many members at a time.
struct OrderedSum {
  float total = 0.0F;  ///< the rows that are complete
  float row = 0.0F;    ///< the one at hand

  TIDEWISE_HOST_DEVICE void add(float count, float worth) { row = std::fma(count, worth, row); }
  /// The next landing lies in another row; nothing changes where none was added to this one.
  TIDEWISE_HOST_DEVICE void next_row() {
    total += row;
    row = 0.0F;
  }
  TIDEWISE_HOST_DEVICE float sum() const { return total + row; }
};

/// float32(1/total), of row_total(): Nr where each realization counts for 1.
inline float inverse_count(std::uint32_t total) {
  return static_cast<float>(1.0 / static_cast<double>(total));
}

}  // namespace tidewise
