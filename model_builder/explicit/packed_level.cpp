#include "model_builder/explicit/packed_level.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/error.h"

namespace tidewise {
namespace {

/// The rows of a compact level, by cell and action.
struct Rows {
  const CompactLevel& level;
  std::vector<Offset> offsets;  // (index in the sub-grid)
  std::size_t actions;

  std::size_t begin(std::size_t cell, std::size_t action) const {
    return static_cast<std::size_t>(level.row_start[cell * actions + action]);
  }
  std::size_t size(std::size_t cell, std::size_t action) const {
    return begin(cell, action + 1) - begin(cell, action);
  }
  Offset offset(std::size_t n) const { return offsets[level.offset[n]]; }
  /// End of the slice that begins at `action`.
  std::size_t slice_end(std::size_t action) const {
    return std::min<std::size_t>(action + rows_per_slice, actions);
  }
  /// Number of entries of the longest row of a slice.
  std::size_t longest(std::size_t cell, std::size_t slice) const {
    std::size_t largest = 0;
    for (std::size_t a = slice; a < slice_end(slice); ++a)
      largest = std::max(largest, size(cell, a));
    return largest;
  }
};

CellStencil stencil_of(const Rows& rows, std::size_t cell) {
  CellStencil window;
  for (std::size_t n = rows.begin(cell, 0); n < rows.begin(cell, rows.actions); ++n) {
    const Offset o = rows.offset(n);
    window.dx_min = std::min(window.dx_min, static_cast<std::int16_t>(o.dx));
    window.dx_max = std::max(window.dx_max, static_cast<std::int16_t>(o.dx));
    window.dy_min = std::min(window.dy_min, static_cast<std::int16_t>(o.dy));
    window.dy_max = std::max(window.dy_max, static_cast<std::int16_t>(o.dy));
  }
  return window;
}

/// Entry n of a row.
template <class Entry>
Entry entry_at(const Rows& rows, const CellStencil& window, std::size_t cell, std::size_t action,
               std::size_t n) {
  const std::size_t place = rows.begin(cell, action) + n;
  const Offset o = rows.offset(place);
  const bool opens = n == 0 || rows.offset(place - 1).dy != o.dy;
  return make_entry<Entry>(window.place(o), rows.level.count[place],
                           opens ? RowPart::opens : RowPart::goes_on);
}

template <class Entry>
void fill_slice(const Rows& rows, const CellStencil& window, std::size_t cell, std::size_t slice,
                Entry* out) {
  const std::size_t steps = rows.longest(cell, slice);
  for (std::size_t n = 0; n < steps; ++n) {
    for (std::size_t a = slice; a < rows.slice_end(slice); ++a) {
      *out++ = n < rows.size(cell, a) ? entry_at<Entry>(rows, window, cell, a, n) : Entry{0};
    }
  }
}

/// Computes windows and starts, and resizes the array of entries.
template <MemorySpace Space>
void lay_out(const Rows& rows, std::uint32_t total, std::int32_t threads,
             PackedLevel<Space>& packed) {
  packed.entry_count = 0;
  packed.fit();
  std::size_t entries = 0;
  std::size_t slices = 0;
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    for (std::size_t slice = 0; slice < rows.actions; slice += rows_per_slice) {
      packed.slice_start[slices++] = static_cast<std::uint32_t>(entries);
      entries += rows.longest(cell, slice) * (rows.slice_end(slice) - slice);
    }
  }
  packed.slice_start[slices] = static_cast<std::uint32_t>(entries);
  if (entries > std::numeric_limits<std::uint32_t>::max()) {
    throw RunError("one level of the model has more entries than a GPU supports; use the CPU");
  }
  std::int32_t max_window_places = 1;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : max_window_places)
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    packed.window[cell] = stencil_of(rows, cell);
    max_window_places = std::max(max_window_places, packed.window[cell].size());
  }
  packed.entry_count = static_cast<std::int64_t>(entries);
  packed.max_window_places = max_window_places;
  const bool narrow = EntryCode::is_narrow(total, max_window_places);
  packed.width = narrow ? EntryWidth::narrow : EntryWidth::wide;
  packed.code = narrow ? EntryCode::for_places(max_window_places) : EntryCode();
  packed.fit();
}

template <class Entry, MemorySpace Space>
void fill_entries(const Rows& rows, std::int32_t threads, PackedLevel<Space>& packed) {
  auto* entries = reinterpret_cast<Entry*>(packed.entries.data());
  const PackedView view = packed.view();
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t cell = 0; cell < packed.cells(); ++cell) {
    for (std::int32_t n = 0; n < view.slices(); ++n) {
      fill_slice(rows, packed.window[cell], cell, static_cast<std::size_t>(n) * rows_per_slice,
                 entries + view.slice_start[view.slice(static_cast<std::int32_t>(cell), n)]);
    }
  }
}

/// Calls act(cell, action, row) for every row, distributed over threads.
template <class Act>
void for_each_row(const PackedView& packed, std::int32_t threads, const Act& act) {
  const auto cells = static_cast<std::int32_t>(packed.window.size);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int32_t cell = 0; cell < cells; ++cell) {
    for (std::int32_t a = 0; a < packed.action_count; ++a) act(cell, a, packed.row(cell, a));
  }
}

template <class Entry>
CompactLevel unpack_as(const PackedView& packed, const SubGrid& subgrid, std::int32_t threads) {
  CompactLevel level;
  const std::size_t rows = packed.window.size * static_cast<std::size_t>(packed.action_count);
  level.row_start.assign(rows + 1, 0);
  for_each_row(packed, threads, [&](std::int32_t cell, std::int32_t a, std::size_t row) {
    for_each_entry<Entry>(packed, cell, a, [&](Entry) { ++level.row_start[row + 1]; });
  });
  std::partial_sum(level.row_start.begin(), level.row_start.end(), level.row_start.begin());
  level.offset.resize(static_cast<std::size_t>(level.row_start.back()));
  level.count.resize(level.offset.size());
  for_each_row(packed, threads, [&](std::int32_t cell, std::int32_t a, std::size_t row) {
    const CellStencil window = packed.window[static_cast<std::size_t>(cell)];
    auto n = static_cast<std::size_t>(level.row_start[row]);
    for_each_entry<Entry>(packed, cell, a, [&](Entry entry) {
      const Offset to = window.offset(packed.code.place(entry));
      level.offset[n] = static_cast<std::uint16_t>(subgrid.index(to));
      level.count[n] = static_cast<std::uint32_t>(packed.code.count(entry));
      ++n;
    });
  });
  return level;
}

}  // namespace

template <MemorySpace Space>
void pack(const CompactLevel& level, const SubGrid& subgrid, std::int32_t action_count,
          std::uint32_t total, std::int32_t threads,
          PackedLevel<Space>& packed) requires(Space != MemorySpace::device) {
  const Rows rows{level, offsets_of(subgrid), static_cast<std::size_t>(action_count)};
  packed.cell_count = static_cast<std::int32_t>((level.row_start.size() - 1) / rows.actions);
  packed.action_count = action_count;
  lay_out(rows, total, threads, packed);
  if (packed.width == EntryWidth::narrow) {
    fill_entries<NarrowEntry>(rows, threads, packed);
  } else {
    fill_entries<WideEntry>(rows, threads, packed);
  }
}

template void pack(const CompactLevel&, const SubGrid&, std::int32_t, std::uint32_t, std::int32_t,
                   PackedLevel<MemorySpace::host>&);
template void pack(const CompactLevel&, const SubGrid&, std::int32_t, std::uint32_t, std::int32_t,
                   PackedLevel<MemorySpace::pinned>&);

CompactLevel unpack(const PackedLevel<MemorySpace::host>& packed, const SubGrid& subgrid,
                    std::int32_t threads) {
  return packed.width == EntryWidth::narrow
             ? unpack_as<NarrowEntry>(packed.view(), subgrid, threads)
             : unpack_as<WideEntry>(packed.view(), subgrid, threads);
}

}  // namespace tidewise
