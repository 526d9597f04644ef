#pragma once

#include <cstdint>

#include "solver/backup/best_action.h"
#include "solver/explicit/padded_rows.h"
#include "solver/explicit/rule.h"

namespace tidewise {

// Bellman backup of one level from packed rows: each warp takes a cell, and its lanes take 32 rows
// at a time. The code uses an abstract Warp, so that tests can run it on the host with 32
// synchronized threads (tests/support/host_warp.h); kernels pass a DeviceWarp.
//
// A level of the published problem has about 4.5 entries per row. A warp may take 1.5 microseconds
// per cell if memory is to be the only limit. Therefore all data of cells except entries are loaded
// for 32 cells at a time, one cell per lane.

/// Shared memory of one warp. `table` is an offset as in Warp::shared_float, because the memory of
/// a block's warps is contiguous.
struct WarpScratch {
  unsigned char* shared = nullptr;
  std::uint32_t table = 0;       ///< offset of W(s, ·), (kind, place); a multiple of kind_bytes
  std::uint32_t kind_bytes = 0;  ///< table of one kind [B]: a power of 2, ≥ 4 · places
};

/// Data of a cell that a warp needs before it reads the rows. Each lane holds the data of one cell.
struct CellHead {
  SliceHead slice;          ///< the first slice
  std::int32_t origin = 0;  ///< cell at place 0 of the window, possibly outside the grid
  std::int32_t width = 0;   ///< width of the window
  std::int32_t size = 0;    ///< number of cells of the window
  /// ⌈2^32 / width⌉: place / width is the upper half of a product with it
  std::uint32_t per_row = 0;
};

/// Head of a slice of the cell's rows.
TIDEWISE_HOST_DEVICE inline SliceHead read_slice(const PackedView& level, std::int32_t cell,
                                                 std::int32_t n) {
  const std::size_t place = level.slice(cell, n);
  const std::uint32_t begin = level.slice_start[place];
  return {begin,
          static_cast<std::int32_t>(level.slice_start[place + 1] - begin) / level.slice_rows(n)};
}

/// Head of a cell. `columns`: columns of the grid.
TIDEWISE_HOST_DEVICE inline CellHead read_head(const PackedView& level, std::int32_t columns,
                                               std::int32_t cell) {
  const CellStencil window = level.window[static_cast<std::size_t>(cell)];
  CellHead head;
  head.slice = read_slice(level, cell, 0);
  head.origin = cell + window.dy_min * columns + window.dx_min;
  head.width = window.width();
  head.size = window.size();
  head.per_row = 0xffffffffu / static_cast<std::uint32_t>(head.width) + 1;
  return head;
}

/// Head of another lane's cell.
template <class Warp>
TIDEWISE_HOST_DEVICE CellHead head_from(const Warp& warp, const CellHead& my_head,
                                        std::int32_t lane) {
  CellHead head;
  head.slice.begin = warp.from(my_head.slice.begin, lane);
  head.slice.longest = warp.from(my_head.slice.longest, lane);
  head.origin = warp.from(my_head.origin, lane);
  head.width = warp.from(my_head.width, lane);
  head.size = warp.from(my_head.size, lane);
  head.per_row = warp.from(my_head.per_row, lane);
  return head;
}

/// Fills W(s, ·) for every kind of action, at the lane's place of the window.
template <class Warp>
TIDEWISE_HOST_DEVICE void fill_place(const Warp& warp, const ExplicitRule& rule,
                                     const PackedView& level, const CellHead& head,
                                     std::int32_t cell, std::int32_t place, OutcomeWord outcomes,
                                     const WarpScratch& scratch) {
  if (place >= head.size) return;
  const auto row = static_cast<std::int32_t>(
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(place)) * head.per_row >> 32);
  const LandingRule& landing = rule.outcome.landing;
  std::int32_t landing_cell = head.origin + row * landing.grid.nx + (place - row * head.width);
  StepEnd end{outcomes.at(warp.lane(), landing.last_step), 1};
  if (end.outcome == StepOutcome::arrived && landing.disc.radius > 0) {
    const Offset to = level.window[static_cast<std::size_t>(cell)].offset(place);
    const std::int32_t column = landing.grid.column(CellIndex(cell));
    end = landing(column, landing.grid.row(CellIndex(cell)), to, {.open = true});
    landing_cell = field_cell(landing.grid, column, landing.grid.row(CellIndex(cell)), to);
  }
  std::uint32_t to = scratch.table + static_cast<std::uint32_t>(4 * place);
  const auto kinds = static_cast<std::int32_t>(rule.kind.size);
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // there are one or two kinds
#endif
  for (std::int32_t kind = 0; kind < kinds; ++kind) {
    warp.set_shared_float(scratch.shared, to,
                          rule.outcome.value_between(end, cell, landing_cell,
                                                     rule.kind[static_cast<std::size_t>(kind)]));
    to += scratch.kind_bytes;
  }
}

/// Fills W(s, ·) of a cell. `first`: outcomes of places 0 … 31; most windows have no more.
template <class Warp>
TIDEWISE_HOST_DEVICE void fill_outcomes(const Warp& warp, const ExplicitRule& rule,
                                        const PackedView& level, const CellHead& head,
                                        std::int32_t cell, OutcomeWord first,
                                        const WarpScratch& scratch) {
  fill_place(warp, rule, level, head, cell, warp.lane(), first, scratch);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (std::int32_t word = 1; word * places_per_word < head.size; ++word) {
    const auto place = static_cast<std::size_t>(cell) * static_cast<std::size_t>(rule.words) +
                       static_cast<std::size_t>(word);
    fill_place(warp, rule, level, head, cell, word * places_per_word + warp.lane(),
               rule.outcomes[place], scratch);
  }
  warp.sync();
}

/// Σ n W over the lane's row. W is read from the lane's table in `shared`.
template <class Entry, class Source, class Warp>
TIDEWISE_HOST_DEVICE float sum_row(const Warp& warp, Source& source, EntryCode code,
                                   unsigned char* shared, std::uint32_t table) {
  OrderedSum sum;
  source.for_each([&](Entry entry) {
    if (opens_row(entry)) sum.next_row();
    // The table's lowest bits are 0. An "or" and the mask are one instruction.
    const std::uint32_t place = table | code.table_byte(entry);
    sum.add(code.count(entry), warp.shared_float(shared, place));
  });
  return sum.sum();
}

/// Outcomes of places 0 … 31 of a cell's window.
TIDEWISE_HOST_DEVICE inline OutcomeWord first_outcomes(const ExplicitRule& rule,
                                                       std::int32_t cell) {
  return rule.outcomes[static_cast<std::size_t>(cell) * static_cast<std::size_t>(rule.words)];
}

/// Backs up cells first … last − 1; writes action and value, (y, x), of each.
template <template <class> class Source, class Entry, class Warp>
TIDEWISE_HOST_DEVICE void back_up_cells(const Warp& warp, const ExplicitRule& rule,
                                        const PackedView& level, const WarpScratch& scratch,
                                        std::int32_t first, std::int32_t last, View<float> value,
                                        View<std::int16_t> action) {
  const std::int32_t lane = warp.lane();
  const auto table_of = [&](std::int32_t a) {
    const std::int32_t kind =
        a < level.action_count ? rule.kind_of[static_cast<std::size_t>(a)] : 0;
    return scratch.table + static_cast<std::uint32_t>(kind) * scratch.kind_bytes;
  };
  const std::uint32_t first_table = table_of(lane);
  const std::int32_t slices = level.slices();
  for (std::int32_t batch = first; batch < last; batch += rows_per_slice) {
    const std::int32_t my_cell = batch + lane;
    CellHead my_head;
    if (my_cell < last) my_head = read_head(level, rule.outcome.landing.grid.nx, my_cell);
    OutcomeWord my_outcomes;
    BestAction my_best;
    for (std::int32_t n = 0; n < rows_per_slice && batch + n < last; ++n) {
      const std::int32_t cell = batch + n;
      CellHead head = head_from(warp, my_head, n);
      std::uint32_t table = first_table;
      BestAction best;
      for (std::int32_t slice = 0;;) {
        Source<Entry> source(warp, level.entries_as<Entry>(), head.slice, level.slice_rows(slice));
        if (slice == 0) {  // while the first entries are being loaded
          if (n == 0) {
            if (batch == first) warp.await_inputs();
            if (my_cell < last) my_outcomes = first_outcomes(rule, my_cell);
          }
          const OutcomeWord outcomes{warp.from(my_outcomes.fails, n),
                                     warp.from(my_outcomes.arrives, n),
                                     warp.from(my_outcomes.outside, n)};
          if (outcomes.is_decided()) {
            best.value = rule.boundary_value(static_cast<std::size_t>(cell));
            break;
          }
          fill_outcomes(warp, rule, level, head, cell, outcomes, scratch);
        }
        const std::int32_t a = slice * rows_per_slice + lane;
        const float sum = sum_row<Entry>(warp, source, level.code, scratch.shared, table);
        if (a < level.action_count) best.consider(sum * rule.inverse_count, a);
        if (++slice == slices) {
          best = best_of(warp, best);
          break;
        }
        head.slice = read_slice(level, cell, slice);
        table = table_of(a + rows_per_slice);
      }
      if (lane == n) my_best = best;
      warp.sync();  // the table is free for the next cell
    }
    if (my_cell < last) {
      value[static_cast<std::size_t>(my_cell)] = my_best.value;
      action[static_cast<std::size_t>(my_cell)] = static_cast<std::int16_t>(my_best.action);
    }
  }
}

/// Chooses the best action of a cell from its rows' expectations: expected + immediate, both (row);
/// immediate may be empty.
template <class Warp>
TIDEWISE_HOST_DEVICE void choose_action(const Warp& warp, const ExplicitRule& rule,
                                        std::int32_t action_count, View<const float> expected,
                                        View<const float> immediate, std::int32_t cell,
                                        View<float> value, View<std::int16_t> action) {
  const auto place = static_cast<std::size_t>(cell);
  BestAction best;
  if (rule.is_non_terminal(place)) {
    for (std::int32_t a = warp.lane(); a < action_count; a += rows_per_slice) {
      const std::size_t row =
          place * static_cast<std::size_t>(action_count) + static_cast<std::size_t>(a);
      best.consider(immediate.empty() ? expected[row] : expected[row] + immediate[row], a);
    }
    best = best_of(warp, best);
  } else {
    best.value = rule.boundary_value(place);
  }
  if (warp.lane() == 0) {
    value[place] = best.value;
    action[place] = static_cast<std::int16_t>(best.action);
  }
}

}  // namespace tidewise
