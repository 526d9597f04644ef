#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"

namespace tidewise {

// One entry of a row as DeviceRows writes it: the lower half is the place of Δ in its cell's
// window, the upper half n(s, a, Δ). Rows are divided into blocks of four, the last one padded with
// zeros, so that a lane writes 16 bytes at a time.

using NarrowRowEntry = std::uint32_t;  ///< places and counts below 2^16
using WideRowEntry = std::uint64_t;    ///< places and counts below 2^32

/// Counts below this fit a NarrowRowEntry.
inline constexpr std::int32_t narrow_row_counts = 1 << 16;
/// Entries of a block.
inline constexpr std::int32_t entries_per_block = 4;
/// Value of cell_start for a cell without rows.
inline constexpr std::uint32_t no_rows = 0xffffffffu;

/// A block of entries.
template <class Entry>
struct alignas(16) RowBlock {
  Entry entry[entries_per_block];
};

/// The rows of a level; trivially copyable.
template <class Entry>
struct LevelRows {
  std::int32_t action_count = 0;
  const std::uint32_t* cell_start = nullptr;  ///< (cell): first block, or no_rows
  const std::uint16_t* row_size = nullptr;    ///< (cell, action): entries
  const CellStencil* window = nullptr;        ///< (cell)
  const RowBlock<Entry>* block = nullptr;
};

/// True if an entry can hold every place of a window of `places` cells.
template <class Entry>
TIDEWISE_HOST_DEVICE bool places_fit(std::int64_t places) {
  return places <= std::int64_t{1} << 4 * sizeof(Entry);
}

/// Number of blocks for this number of entries.
TIDEWISE_HOST_DEVICE inline std::int32_t blocks_of(std::int32_t entries) {
  return (entries + entries_per_block - 1) / entries_per_block;
}

/// Number of words with a bit per action.
TIDEWISE_HOST_DEVICE inline std::int32_t words_of_actions(std::int32_t actions) {
  return (actions + 31) / 32;
}

/// An entry with this place and count.
template <class Entry>
TIDEWISE_HOST_DEVICE Entry make_row_entry(std::uint32_t place, std::uint32_t count) {
  return static_cast<Entry>(static_cast<Entry>(count) << 4 * sizeof(Entry) | place);
}
/// The place of an entry.
template <class Entry>
TIDEWISE_HOST_DEVICE std::uint32_t row_place(Entry entry) {
  return static_cast<std::uint32_t>(entry & ((Entry{1} << 4 * sizeof(Entry)) - 1));
}
/// The count of an entry.
template <class Entry>
TIDEWISE_HOST_DEVICE std::uint32_t row_count(Entry entry) {
  return static_cast<std::uint32_t>(entry >> 4 * sizeof(Entry));
}

}  // namespace tidewise
