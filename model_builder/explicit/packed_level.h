#pragma once

#include <cstddef>
#include <cstdint>

#include "base/memory/array.h"
#include "env/grid.h"
#include "model_builder/explicit/compact_level.h"
#include "model_builder/explicit/packed_entry.h"

namespace tidewise {

// The compact form in the layout that suits a device: one word per entry, and the rows of a cell in
// slices of 32, one lane per row. The entries of a slice are contiguous: the first of every row,
// the second of every row, …, each row padded to the longest of the slice, so that lanes that read
// their rows in step read contiguous memory without computing positions.
inline constexpr std::int32_t rows_per_slice = 32;

/// A window of offsets that contains every landing of a cell, and Δ = 0, so that it also contains
/// every straight line to a landing. At least two columns.
struct alignas(8) CellStencil {
  std::int16_t dx_min = 0;
  std::int16_t dx_max = 1;
  std::int16_t dy_min = 0;
  std::int16_t dy_max = 0;

  TIDEWISE_HOST_DEVICE std::int32_t width() const { return dx_max - dx_min + 1; }
  TIDEWISE_HOST_DEVICE std::int32_t height() const { return dy_max - dy_min + 1; }
  TIDEWISE_HOST_DEVICE std::int32_t size() const { return width() * height(); }
  /// Index of an offset: rows from the south, each from the west.
  TIDEWISE_HOST_DEVICE std::int32_t place(Offset o) const {
    return (o.dy - dy_min) * width() + (o.dx - dx_min);
  }
  TIDEWISE_HOST_DEVICE Offset offset(std::int32_t place) const {
    return {dx_min + place % width(), dy_min + place / width()};
  }
};

/// A view of a packed level, trivially copyable. Row r = cell · action_count + action.
struct PackedView {
  std::int32_t action_count = 0;
  EntryWidth width = EntryWidth::narrow;
  EntryCode code;
  View<const std::uint32_t> slice_start;  ///< (cell, slice), and one more: first entry of the slice
  View<const CellStencil> window;         ///< (cell)
  View<const std::uint8_t> entries;       ///< (entry): words of the level's width

  TIDEWISE_HOST_DEVICE std::int32_t slices() const {
    return (action_count + rows_per_slice - 1) / rows_per_slice;
  }
  TIDEWISE_HOST_DEVICE std::size_t slice(std::int32_t cell, std::int32_t n) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(slices()) +
           static_cast<std::size_t>(n);
  }
  /// Number of rows of the n-th slice of a cell.
  TIDEWISE_HOST_DEVICE std::int32_t slice_rows(std::int32_t n) const {
    const std::int32_t remaining = action_count - n * rows_per_slice;
    return remaining < rows_per_slice ? remaining : rows_per_slice;
  }
  TIDEWISE_HOST_DEVICE std::size_t row(std::int32_t cell, std::int32_t action) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(action_count) +
           static_cast<std::size_t>(action);
  }
  template <class Entry>
  TIDEWISE_HOST_DEVICE const Entry* entries_as() const {
    return reinterpret_cast<const Entry*>(entries.data);
  }
};

/// Index of entry n of a row. Requires n < length of the slice's longest row.
TIDEWISE_HOST_DEVICE inline std::size_t entry_place(const PackedView& level, std::int32_t cell,
                                                    std::int32_t action, std::int32_t n) {
  const std::int32_t slice = action / rows_per_slice;
  return level.slice_start[level.slice(cell, slice)] +
         static_cast<std::size_t>(n * level.slice_rows(slice) + action % rows_per_slice);
}

/// Calls act(entry) for every entry of a row, beginning in the south-west.
template <class Entry, class Act>
TIDEWISE_HOST_DEVICE void for_each_entry(const PackedView& level, std::int32_t cell,
                                         std::int32_t action, const Act& act) {
  const std::int32_t slice = action / rows_per_slice;
  const std::size_t place = level.slice(cell, slice);
  const auto max =
      static_cast<std::int32_t>(level.slice_start[place + 1] - level.slice_start[place]) /
      level.slice_rows(slice);
  for (std::int32_t n = 0; n < max; ++n) {
    const Entry entry = level.entries_as<Entry>()[entry_place(level, cell, action, n)];
    if (entry == 0) return;  // padding
    act(entry);
  }
}

/// One packed level of the explicit model in memory of one space. Arrays may be longer than their
/// content, so that they can be reused for the next level.
template <MemorySpace Space>
struct PackedLevel {
  std::int32_t cell_count = 0;
  std::int32_t action_count = 0;
  EntryWidth width = EntryWidth::narrow;
  EntryCode code;
  std::int64_t entry_count = 0;        ///< with padding
  std::int32_t max_window_places = 1;  ///< maximum for any cell's window
  Array<std::uint32_t, Space> slice_start;
  Array<CellStencil, Space> window;
  Array<std::uint8_t, Space> entries;

  std::size_t cells() const { return static_cast<std::size_t>(cell_count); }
  std::size_t rows() const { return cells() * static_cast<std::size_t>(action_count); }
  std::size_t slice_starts() const {
    return cells() *
               static_cast<std::size_t>((action_count + rows_per_slice - 1) / rows_per_slice) +
           1;
  }
  std::size_t entry_bytes() const {  // [B]
    return width == EntryWidth::narrow ? sizeof(NarrowEntry) : sizeof(WideEntry);
  }
  std::size_t entries_bytes() const {
    return static_cast<std::size_t>(entry_count) * entry_bytes();
  }
  /// Size of the data that a solver reads [B].
  std::size_t bytes() const {
    return slice_starts() * sizeof(std::uint32_t) + cells() * sizeof(CellStencil) + entries_bytes();
  }
  PackedView view() const {
    return {action_count,
            width,
            code,
            slice_start.view().part(0, slice_starts()),
            window.view().part(0, cells()),
            entries.view().part(0, entries_bytes())};
  }
  /// Resizes the arrays for the numbers above; arrays that are too short are reallocated and lose
  /// their content.
  void fit() {
    grow(slice_start, slice_starts());
    grow(window, cells());
    grow(entries, entries_bytes());
  }

 private:
  template <class T>
  static void grow(Array<T, Space>& array, std::size_t size) {
    if (array.size() >= size) return;
    array = Array<T, Space>();  // releases the old one first
    array = Array<T, Space>(size + size / 16);
  }
};

/// Packs a level. `total`: sum of the counts of a row; it and the windows determine the width.
/// Errors: RunError if the number of entries exceeds 32 bits.
template <MemorySpace Space>
void pack(const CompactLevel& level, const SubGrid& subgrid, std::int32_t action_count,
          std::uint32_t total, std::int32_t threads,
          PackedLevel<Space>& packed) requires(Space != MemorySpace::device);

/// Restores the packed level exactly.
CompactLevel unpack(const PackedLevel<MemorySpace::host>& packed, const SubGrid& subgrid,
                    std::int32_t threads = 1);

}  // namespace tidewise
