#pragma once

#include <cstdint>

#include "model_builder/cloud/table.cuh"
#include "model_builder/device/row_block.h"
#include "model_builder/explicit/packed_level.h"

namespace tidewise {

/// Sink of the counting kernels that writes the counts of each cell as rows of the explicit model,
/// in blocks (row_block.h). Cells come in any order, and their blocks are stored in that order.
/// Trivially copyable.
template <class EntryType>
struct DeviceRows {
  using Entry = EntryType;
  static constexpr bool takes_tables = true;

  std::int32_t action_count = 0;
  std::uint32_t* cell_start = nullptr;  ///< (cell); no_rows for rejected cells
  std::uint16_t* row_size = nullptr;    ///< (row)
  CellStencil* window = nullptr;        ///< (cell)
  RowBlock<Entry>* block = nullptr;     ///< (block)
  std::uint32_t capacity = 0;           ///< number of blocks in `block`; less than no_rows
  /// Number of blocks so far; may exceed the capacity, and 32 bits if many cells find no room.
  unsigned long long* block_count = nullptr;
  /// Cells without rows: their windows are too wide for any kernel, or there was no room.
  std::int32_t* too_wide = nullptr;
  std::int32_t* too_wide_count = nullptr;  ///< number of these cells
  std::int32_t table_size = 0;             ///< unused: rows need no table of outcomes
  /// (cell, word): bit n of word w for action 32·w + n, if only some rows are wanted; the others
  /// have no entries. Null: all.
  const std::uint32_t* wanted = nullptr;

  template <class Table>
  __device__ bool fits(const Table& table) const {
    const CellStencil window = around(table);
    return places_fit<Entry>(std::int64_t{window.width()} * window.height());
  }
  /// Size of one number for each warp of a group and one for the group [B].
  __host__ __device__ std::size_t shared_bytes() const { return 36 * sizeof(std::uint32_t); }

  __device__ void leave(std::int32_t cell) const {
    cell_start[cell] = no_rows;
    too_wide[atomicAdd(too_wide_count, 1)] = cell;
  }

  template <class Table, class Group>
  __device__ void take(std::int32_t cell, const Table& table, char* memory,
                       const Group& group) const {
    auto* of_warp = reinterpret_cast<std::uint32_t*>(memory);
    std::uint32_t* start = of_warp + 32;
    const CellStencil cell_window = around(table);
    const std::size_t first_row =
        static_cast<std::size_t>(cell) * static_cast<std::size_t>(action_count);
    std::uint32_t blocks = 0;
    for (std::int32_t a = group.rank(); a < action_count; a += Group::size) {
      std::int32_t entries = 0;
      if (wants(cell, a)) {
        table.visit(
            a,
            [&](std::int32_t, std::int32_t, std::uint32_t count) { entries += count != 0 ? 1 : 0; },
            [] {});
      }
      row_size[first_row + static_cast<std::size_t>(a)] = static_cast<std::uint16_t>(entries);
      blocks += static_cast<std::uint32_t>(blocks_of(entries));
    }
    const std::uint32_t all = sum_of(blocks, of_warp, group);
    if (group.rank() == 0) {
      const unsigned long long first = atomicAdd(block_count, static_cast<unsigned long long>(all));
      window[cell] = cell_window;
      if (first + all <= capacity) {
        *start = static_cast<std::uint32_t>(first);
        cell_start[cell] = *start;
      } else {  // block_count includes it, so that the caller can retry with more room
        *start = no_rows;
        leave(cell);
      }
    }
    group.sync();
    std::uint32_t next_block = *start;
    if (next_block == no_rows) return;
    for (std::int32_t base = 0; base < action_count; base += Group::size) {
      const std::int32_t a = base + group.rank();
      const bool has_action = a < action_count;
      const std::uint32_t own = has_action ? static_cast<std::uint32_t>(blocks_of(
                                                 row_size[first_row + static_cast<std::size_t>(a)]))
                                           : 0;
      std::uint32_t in_all = 0;
      const std::uint32_t before = sum_before(own, of_warp, in_all, group);
      if (own > 0) write_row(a, table, cell_window, block + next_block + before);
      next_block += in_all;
    }
  }

 private:
  __device__ bool wants(std::int32_t cell, std::int32_t a) const {
    if (wanted == nullptr) return true;
    const std::int32_t words = words_of_actions(action_count);
    return (wanted[static_cast<std::size_t>(cell) * static_cast<std::size_t>(words) +
                   static_cast<std::size_t>(a / 32)] >>
                (a % 32) &
            1u) != 0;
  }

  /// The window of all actions together, including the cell itself.
  template <class Table>
  __device__ static CellStencil around(const Table& table) {
    const Offset first = table.first();
    const Offset last = table.last();
    return {static_cast<std::int16_t>(min(first.dx, 0)), static_cast<std::int16_t>(max(last.dx, 0)),
            static_cast<std::int16_t>(min(first.dy, 0)),
            static_cast<std::int16_t>(max(last.dy, 0))};
  }

  /// Entries that are being written.
  struct Block {
    Entry entry[entries_per_block];
    __device__ void push(Entry next) {
#pragma unroll
      for (int n = 0; n + 1 < entries_per_block; ++n) entry[n] = entry[n + 1];
      entry[entries_per_block - 1] = next;
    }
  };

  template <class Table>
  __device__ void write_row(std::int32_t a, const Table& table, const CellStencil& cell_window,
                            RowBlock<Entry>* out) const {
    const Offset from = table.origin(a);
    std::int32_t line =
        (from.dy - cell_window.dy_min) * cell_window.width() + from.dx - cell_window.dx_min;
    Block block{};
    std::int32_t filled = 0;
    const auto push = [&](Entry entry) {
      block.push(entry);
      if (++filled < entries_per_block) return;
      auto* to = reinterpret_cast<uint4*>(out++);
      const auto* source = reinterpret_cast<const uint4*>(block.entry);
#pragma unroll
      for (std::size_t n = 0; n < sizeof(block) / sizeof(uint4); ++n) to[n] = source[n];
      filled = 0;
    };
    table.visit(
        a,
        [&](std::int32_t column, std::int32_t, std::uint32_t count) {
          if (count == 0) return;
          push(make_row_entry<Entry>(static_cast<std::uint32_t>(line + column), count));
        },
        [&] { line += cell_window.width(); });
    while (filled != 0) push(0);
  }

  static __device__ std::uint32_t scan_of_warp(std::uint32_t value) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      const std::uint32_t other = __shfl_up_sync(0xffffffffu, value, d);
      if (lane >= d) value += other;
    }
    return value;
  }

  /// Returns the sum over the group's threads before this one; sets `all` to the sum over the
  /// group.
  template <class Group>
  static __device__ std::uint32_t sum_before(std::uint32_t value, std::uint32_t* of_warp,
                                             std::uint32_t& all, const Group& group) {
    const std::uint32_t up_to = scan_of_warp(value);
    const std::int32_t warp = group.rank() / 32;
    group.sync();
    if (group.rank() % 32 == 31) of_warp[warp] = up_to;
    group.sync();
    std::uint32_t before = up_to - value;
    all = 0;
    for (std::int32_t w = 0; w < Group::size / 32; ++w) {
      if (w < warp) before += of_warp[w];
      all += of_warp[w];
    }
    return before;
  }
  template <class Group>
  static __device__ std::uint32_t sum_of(std::uint32_t value, std::uint32_t* of_warp,
                                         const Group& group) {
    std::uint32_t all = 0;
    (void)sum_before(value, of_warp, all, group);
    return all;
  }
};

}  // namespace tidewise
