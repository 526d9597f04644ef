#pragma once

#include <cstddef>
#include <cstdint>

#include "base/memory/array.h"
#include "model_builder/device/row_block.h"
#include "model_builder/device/rows.cuh"

namespace tidewise {

/// Totals of counting a level into rows.
struct RowTotals {
  unsigned long long blocks = 0;  ///< number of blocks that all rows need
  std::int32_t left_out = 0;      ///< cells without rows, which are too wide or found no free
                                  ///< blocks
};

/// For .cu files: the rows of one level in device memory, written by DeviceRows.
template <class Entry>
struct RowBuffer {
  /// `block_capacity`: number of blocks.
  RowBuffer(std::size_t cells, std::size_t action_count, std::size_t block_capacity)
      : actions(static_cast<std::int32_t>(action_count)),
        cell_start(cells),
        row_size(cells * action_count),
        window(cells),
        left_out(cells),
        blocks(block_capacity),
        totals(1) {}

  DeviceRows<Entry> sink() {
    DeviceRows<Entry> rows;
    rows.action_count = actions;
    rows.cell_start = cell_start.data();
    rows.row_size = row_size.data();
    rows.window = window.data();
    rows.block = blocks.data();
    rows.capacity = static_cast<std::uint32_t>(blocks.size());
    rows.block_count = &totals.data()->blocks;
    rows.too_wide = left_out.data();
    rows.too_wide_count = &totals.data()->left_out;
    return rows;
  }
  LevelRows<Entry> rows() const {
    return {actions, cell_start.data(), row_size.data(), window.data(), blocks.data()};
  }

  std::int32_t actions;
  DeviceArray<std::uint32_t> cell_start;  // (cell)
  DeviceArray<std::uint16_t> row_size;    // (row)
  DeviceArray<CellStencil> window;        // (cell)
  DeviceArray<std::int32_t> left_out;     // cells
  DeviceArray<RowBlock<Entry>> blocks;
  DeviceArray<RowTotals> totals;  // one element; set to 0 before a level is counted
};

}  // namespace tidewise
