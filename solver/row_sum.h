#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "model_builder/packed_level.h"

namespace tidewise {

/// Σ_Δ n(s,a,Δ) W(s,Δ) over the entries of one packed row, in the one order of expectation.h: from
/// west to east within a row of the sub-grid, then the rows' sums from south to north. The caller
/// multiplies by float32(1/Nr). Padding adds exactly nothing, as long as W is finite.
struct RowSum {
  float total = 0.0F;  ///< the sub-grid's rows that are complete
  float row = 0.0F;    ///< the one at hand

  /// outcome: W at the entry's Δ.
  template <class Entry>
  TIDEWISE_HOST_DEVICE void add(Entry entry, float outcome) {
    if (opens_row(entry)) {
      total += row;
      row = 0.0F;
    }
    row = std::fma(count_as_float(entry), outcome, row);
  }
  /// table: W of the row's cell, (place in the cell's window).
  template <class Entry>
  TIDEWISE_HOST_DEVICE void add_block(const EntryBlock<Entry>& block, const float* table) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(table);
    for (const Entry entry : block.entry) {
      add(entry, *reinterpret_cast<const float*>(bytes + table_byte(entry)));
    }
  }
  TIDEWISE_HOST_DEVICE float sum() const { return total + row; }
};

}  // namespace tidewise
