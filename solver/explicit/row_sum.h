#pragma once

#include <cmath>

#include "base/host_device.h"
#include "model_builder/explicit/packed_entry.h"

namespace tidewise {

/// Σ_Δ n(s,a,Δ) W(s,Δ) over the entries of one packed row, in the one order of expectation.h: from
/// west to east within a row of the sub-grid, then the rows' sums from south to north. The caller
/// multiplies by float32(1/Nr). Padding, and what comes behind the row's end with a count of 0,
/// adds exactly nothing, as long as W is finite.
struct RowSum {
  float total = 0.0F;  ///< the sub-grid's rows that are complete
  float row = 0.0F;    ///< the one at hand

  /// outcome: W at the entry's Δ.
  template <class Entry>
  TIDEWISE_HOST_DEVICE void add(Entry entry, float count, float outcome) {
    if (opens_row(entry)) {
      total += row;
      row = 0.0F;
    }
    row = std::fma(count, outcome, row);
  }
  TIDEWISE_HOST_DEVICE float sum() const { return total + row; }
};

}  // namespace tidewise
