#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"
#include "env/grid.h"
#include "model_builder/compact_level.h"
#include "model_builder/packed_entry.h"

namespace tidewise {

// The compact form as a device reads it best. Row (cell, action) is cut into blocks of four
// entries, the last one padded, so that a lane takes a block in one 16-byte load. The rows of a
// cell are taken 32 at a time, a slice: a lane each. A cell's blocks lie together, slice after
// slice; within a slice they lie
//   by_row:  row after row. Simple to write; lanes that walk their rows read far apart
//   by_step: the first block of every row, the second of every row that has one, … Lanes that walk
//            their rows in step read one stretch of memory, and there is no padding to a common
//            length

inline constexpr std::int32_t entries_per_block = 4;
inline constexpr std::int32_t rows_per_slice = 32;

enum class BlockOrder : std::uint8_t { by_row, by_step };
enum class EntryWidth : std::uint8_t { narrow, wide };  ///< NarrowEntry or WideEntry

template <class Entry>
struct alignas(16) EntryBlock {
  Entry entry[entries_per_block];
};

TIDEWISE_HOST_DEVICE inline std::int32_t blocks_of(std::int32_t entries) {
  return (entries + entries_per_block - 1) / entries_per_block;
}

/// A window of offsets that holds every landing of a cell, and Δ = 0, so that every straight way to
/// a landing lies in it as well.
struct alignas(8) CellWindow {
  std::int16_t dx_min = 0;
  std::int16_t dx_max = 0;
  std::int16_t dy_min = 0;
  std::int16_t dy_max = 0;

  TIDEWISE_HOST_DEVICE std::int32_t width() const { return dx_max - dx_min + 1; }
  TIDEWISE_HOST_DEVICE std::int32_t height() const { return dy_max - dy_min + 1; }
  TIDEWISE_HOST_DEVICE std::int32_t size() const { return width() * height(); }
  /// Row by row from the south, each from the west.
  TIDEWISE_HOST_DEVICE std::int32_t place(Offset o) const {
    return (o.dy - dy_min) * width() + (o.dx - dx_min);
  }
  TIDEWISE_HOST_DEVICE Offset offset(std::int32_t place) const {
    return {dx_min + place % width(), dy_min + place / width()};
  }
};

/// A look at a packed level, trivially copyable. Row r = cell · action_count + action.
struct PackedView {
  std::int32_t action_count = 0;
  BlockOrder order = BlockOrder::by_step;
  EntryWidth width = EntryWidth::narrow;
  View<const std::uint32_t> cell_start;  ///< (cell): its first block
  View<const std::uint16_t> row_size;    ///< (row): entries without padding
  View<const CellWindow> window;         ///< (cell)
  View<const std::uint8_t> blocks;       ///< (block): EntryBlock of the level's width

  TIDEWISE_HOST_DEVICE std::size_t row(std::int32_t cell, std::int32_t action) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(action_count) +
           static_cast<std::size_t>(action);
  }
  TIDEWISE_HOST_DEVICE std::int32_t row_blocks(std::int32_t cell, std::int32_t action) const {
    return blocks_of(row_size[row(cell, action)]);
  }
  template <class Entry>
  TIDEWISE_HOST_DEVICE const EntryBlock<Entry>* blocks_as() const {
    return reinterpret_cast<const EntryBlock<Entry>*>(blocks.data);
  }
};

/// Where block `step` of a row lies. The definition of both orders, from the sizes alone: some 32
/// reads. What walks rows in order counts along instead.
TIDEWISE_HOST_DEVICE inline std::size_t block_place(const PackedView& level, std::int32_t cell,
                                                    std::int32_t action, std::int32_t step) {
  const std::int32_t slice = action / rows_per_slice * rows_per_slice;
  const std::int32_t after =
      slice + rows_per_slice < level.action_count ? slice + rows_per_slice : level.action_count;
  std::size_t place = level.cell_start[static_cast<std::size_t>(cell)];
  for (std::int32_t a = 0; a < slice; ++a) {
    place += static_cast<std::size_t>(level.row_blocks(cell, a));
  }
  if (level.order == BlockOrder::by_row) {
    for (std::int32_t a = slice; a < action; ++a) {
      place += static_cast<std::size_t>(level.row_blocks(cell, a));
    }
    return place + static_cast<std::size_t>(step);
  }
  for (std::int32_t a = slice; a < after; ++a) {
    const std::int32_t before = a < action ? step + 1 : step;
    const std::int32_t blocks = level.row_blocks(cell, a);
    place += static_cast<std::size_t>(blocks < before ? blocks : before);
  }
  return place;
}

/// One level of the explicit model, packed, in memory of one space. Arrays may be longer than what
/// they hold: they are kept for the next level.
template <MemorySpace Space>
struct PackedLevel {
  std::int32_t cell_count = 0;
  std::int32_t action_count = 0;
  BlockOrder order = BlockOrder::by_step;
  EntryWidth width = EntryWidth::narrow;
  std::int64_t entry_count = 0;  ///< without padding
  std::int64_t block_count = 0;
  std::int32_t most_places = 0;        ///< of any cell's window
  std::int32_t most_slice_blocks = 0;  ///< of any slice
  Array<std::uint32_t, Space> cell_start;
  Array<std::uint16_t, Space> row_size;
  Array<CellWindow, Space> window;
  Array<std::uint8_t, Space> blocks;

  std::size_t cells() const { return static_cast<std::size_t>(cell_count); }
  std::size_t rows() const { return cells() * static_cast<std::size_t>(action_count); }
  std::int64_t bytes_per_block() const {  // [B]
    return width == EntryWidth::narrow ? sizeof(EntryBlock<NarrowEntry>)
                                       : sizeof(EntryBlock<WideEntry>);
  }
  std::size_t block_bytes() const {
    return static_cast<std::size_t>(block_count * bytes_per_block());
  }
  /// All that a solver reads of it [B].
  std::size_t bytes() const {
    return cells() * (sizeof(std::uint32_t) + sizeof(CellWindow)) + rows() * sizeof(std::uint16_t) +
           block_bytes();
  }
  PackedView view() const {
    return {action_count,
            order,
            width,
            cell_start.view().part(0, cells()),
            row_size.view().part(0, rows()),
            window.view().part(0, cells()),
            blocks.view().part(0, block_bytes())};
  }
  /// Makes the arrays hold what the counts above say, anew where they are too short: their content
  /// is lost then.
  void fit() {
    grow(cell_start, cells());
    grow(row_size, rows());
    grow(window, cells());
    grow(blocks, block_bytes());
  }

 private:
  template <class T>
  static void grow(Array<T, Space>& array, std::size_t size) {
    if (array.size() >= size) return;
    array = Array<T, Space>();  // the old one goes first
    array = Array<T, Space>(size + size / 16);
  }
};

/// Packs a level. `total`: what the counts of a row sum to; it and the windows decide the width.
/// Errors: RunError for a row of 65536 entries, or more blocks than 32 bits can number.
template <MemorySpace Space>
void pack(const CompactLevel& level, const SubGrid& subgrid, std::int32_t action_count,
          std::uint32_t total, BlockOrder order, std::int32_t threads,
          PackedLevel<Space>& packed) requires(Space != MemorySpace::device);

/// The level that was packed, exactly.
CompactLevel unpack(const PackedLevel<MemorySpace::host>& packed, const SubGrid& subgrid);

}  // namespace tidewise
