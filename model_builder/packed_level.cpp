#include "model_builder/packed_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.h"

namespace tidewise {
namespace {

/// dx and dy of every index of the sub-grid: 25 million entries would be as many divisions.
std::vector<Offset> offsets_of(const SubGrid& subgrid) {
  std::vector<Offset> offsets;
  for (std::int32_t n = 0; n < subgrid.size(); ++n) offsets.push_back(subgrid.offset(n));
  return offsets;
}

/// Rows of a compact level, by cell and action.
struct Rows {
  const CompactLevel& level;
  std::size_t actions;

  std::size_t begin(std::size_t cell, std::size_t action) const {
    return static_cast<std::size_t>(level.row_start[cell * actions + action]);
  }
  std::size_t size(std::size_t cell, std::size_t action) const {
    return begin(cell, action + 1) - begin(cell, action);
  }
};

CellWindow window_of(const Rows& rows, const std::vector<Offset>& offsets, std::size_t cell) {
  CellWindow window;
  for (std::size_t n = rows.begin(cell, 0); n < rows.begin(cell, rows.actions); ++n) {
    const Offset o = offsets[rows.level.offset[n]];
    window.dx_min = std::min(window.dx_min, static_cast<std::int16_t>(o.dx));
    window.dx_max = std::max(window.dx_max, static_cast<std::int16_t>(o.dx));
    window.dy_min = std::min(window.dy_min, static_cast<std::int16_t>(o.dy));
    window.dy_max = std::max(window.dy_max, static_cast<std::int16_t>(o.dy));
  }
  return window;
}

/// Entry n of the level, in a row that begins at `first`.
template <class Entry>
Entry entry_at(const CompactLevel& level, const std::vector<Offset>& offsets,
               const CellWindow& window, std::size_t first, std::size_t n) {
  const Offset o = offsets[level.offset[n]];
  const bool opens = n == first || offsets[level.offset[n - 1]].dy != o.dy;
  return make_entry<Entry>(static_cast<std::uint32_t>(window.place(o)), level.count[n], opens);
}

template <class Entry>
EntryBlock<Entry> block_at(const Rows& rows, const std::vector<Offset>& offsets,
                           const CellWindow& window, std::size_t cell, std::size_t action,
                           std::size_t step) {
  const std::size_t first = rows.begin(cell, action);
  const std::size_t after = rows.begin(cell, action + 1);
  EntryBlock<Entry> block{};
  for (std::size_t e = 0; e < entries_per_block; ++e) {
    const std::size_t n = first + step * entries_per_block + e;
    if (n < after) block.entry[e] = entry_at<Entry>(rows.level, offsets, window, first, n);
  }
  return block;
}

/// Fills the blocks of one cell in the level's order.
template <class Entry>
void fill_cell(const Rows& rows, const std::vector<Offset>& offsets, const CellWindow& window,
               std::size_t cell, BlockOrder order, EntryBlock<Entry>* out) {
  const auto blocks = [&](std::size_t action) {
    return static_cast<std::size_t>(blocks_of(static_cast<std::int32_t>(rows.size(cell, action))));
  };
  for (std::size_t slice = 0; slice < rows.actions; slice += rows_per_slice) {
    const std::size_t after = std::min<std::size_t>(slice + rows_per_slice, rows.actions);
    std::size_t steps = 0;
    for (std::size_t action = slice; action < after; ++action) {
      steps = std::max(steps, blocks(action));
      if (order == BlockOrder::by_step) continue;
      for (std::size_t step = 0; step < blocks(action); ++step) {
        *out++ = block_at<Entry>(rows, offsets, window, cell, action, step);
      }
    }
    if (order == BlockOrder::by_row) continue;
    for (std::size_t step = 0; step < steps; ++step) {
      for (std::size_t action = slice; action < after; ++action) {
        if (step >= blocks(action)) continue;
        *out++ = block_at<Entry>(rows, offsets, window, cell, action, step);
      }
    }
  }
}

/// Everything but the blocks, and the arrays made to fit.
template <MemorySpace Space>
void lay_out(const Rows& rows, const std::vector<Offset>& offsets, std::uint32_t total,
             std::int32_t threads, PackedLevel<Space>& packed) {
  packed.entry_count = rows.level.row_start.back();
  packed.block_count = 0;
  packed.fit();
  std::int64_t blocks = 0;
  std::int64_t most_slice_blocks = 0;
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    packed.cell_start[cell] = static_cast<std::uint32_t>(blocks);
    for (std::size_t slice = 0; slice < rows.actions; slice += rows_per_slice) {
      const std::int64_t before = blocks;
      for (std::size_t a = slice; a < std::min<std::size_t>(slice + rows_per_slice, rows.actions);
           ++a) {
        const std::size_t size = rows.size(cell, a);
        if (size > std::numeric_limits<std::uint16_t>::max()) {
          throw RunError(fmt::format(
              "a row of the model has {} entries, and the device's form holds 65535; use the CPU",
              size));
        }
        packed.row_size[cell * rows.actions + a] = static_cast<std::uint16_t>(size);
        blocks += blocks_of(static_cast<std::int32_t>(size));
      }
      most_slice_blocks = std::max(most_slice_blocks, blocks - before);
    }
  }
  if (blocks > std::numeric_limits<std::uint32_t>::max()) {
    throw RunError("one level of the model has more entries than a device numbers; use the CPU");
  }
  std::int32_t most_places = 1;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : most_places)
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    packed.window[cell] = window_of(rows, offsets, cell);
    most_places = std::max(most_places, packed.window[cell].size());
  }
  packed.block_count = blocks;
  packed.most_places = most_places;
  packed.most_slice_blocks = static_cast<std::int32_t>(most_slice_blocks);
  packed.width =
      total < narrow_counts && most_places <= narrow_places ? EntryWidth::narrow : EntryWidth::wide;
  packed.fit();
}

template <class Entry, MemorySpace Space>
void fill_blocks(const Rows& rows, const std::vector<Offset>& offsets, std::int32_t threads,
                 PackedLevel<Space>& packed) {
  auto* blocks = reinterpret_cast<EntryBlock<Entry>*>(packed.blocks.data());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    fill_cell(rows, offsets, packed.window[cell], cell, packed.order,
              blocks + packed.cell_start[cell]);
  }
}

template <class Entry>
void unpack_row(const PackedView& packed, std::int32_t cell, std::int32_t action,
                const SubGrid& subgrid, CompactLevel& level) {
  const CellWindow window = packed.window[static_cast<std::size_t>(cell)];
  const std::int32_t size = packed.row_size[packed.row(cell, action)];
  for (std::int32_t n = 0; n < size; ++n) {
    const auto& block =
        packed.blocks_as<Entry>()[block_place(packed, cell, action, n / entries_per_block)];
    const Entry entry = block.entry[n % entries_per_block];
    level.offset.push_back(
        static_cast<std::uint16_t>(subgrid.index(window.offset(place_of(entry)))));
    level.count.push_back(count_of(entry));
  }
}

}  // namespace

template <MemorySpace Space>
void pack(const CompactLevel& level, const SubGrid& subgrid, std::int32_t action_count,
          std::uint32_t total, BlockOrder order, std::int32_t threads,
          PackedLevel<Space>& packed) requires(Space != MemorySpace::device) {
  const Rows rows{level, static_cast<std::size_t>(action_count)};
  const auto offsets = offsets_of(subgrid);
  packed.cell_count = static_cast<std::int32_t>((level.row_start.size() - 1) / rows.actions);
  packed.action_count = action_count;
  packed.order = order;
  lay_out(rows, offsets, total, threads, packed);
  if (packed.width == EntryWidth::narrow) {
    fill_blocks<NarrowEntry>(rows, offsets, threads, packed);
  } else {
    fill_blocks<WideEntry>(rows, offsets, threads, packed);
  }
}

template void pack(const CompactLevel&, const SubGrid&, std::int32_t, std::uint32_t, BlockOrder,
                   std::int32_t, PackedLevel<MemorySpace::host>&);
template void pack(const CompactLevel&, const SubGrid&, std::int32_t, std::uint32_t, BlockOrder,
                   std::int32_t, PackedLevel<MemorySpace::pinned>&);

CompactLevel unpack(const PackedLevel<MemorySpace::host>& packed, const SubGrid& subgrid) {
  const PackedView view = packed.view();
  CompactLevel level;
  level.row_start.push_back(0);
  for (std::int32_t cell = 0; cell < packed.cell_count; ++cell) {
    for (std::int32_t action = 0; action < packed.action_count; ++action) {
      if (packed.width == EntryWidth::narrow) {
        unpack_row<NarrowEntry>(view, cell, action, subgrid, level);
      } else {
        unpack_row<WideEntry>(view, cell, action, subgrid, level);
      }
      level.row_start.push_back(static_cast<std::int64_t>(level.offset.size()));
    }
  }
  return level;
}

}  // namespace tidewise
