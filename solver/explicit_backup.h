#pragma once

#include <cstdint>
#include <cstring>

#include "solver/best_action.h"
#include "solver/block_sources.h"
#include "solver/explicit_rule.h"

namespace tidewise {

// Bellman's backup of one level from packed rows, by warps: a warp takes a cell, a lane a row of 32
// at a time. Written against a Warp, so that tests run it on the host with 32 threads in step
// (tests/support/host_warp.h); kernels give it a DeviceWarp.

/// Calls act(dx, dy) for every offset of a window, spread over the lanes.
template <class Warp, class Act>
TIDEWISE_HOST_DEVICE void for_each_offset(const Warp& warp, const CellWindow& window,
                                          const Act& act) {
  constexpr std::int32_t columns = 8;  // lanes side by side: windows are some eight cells wide
  constexpr std::int32_t rows = rows_per_slice / columns;
  for (std::int32_t dy = window.dy_min + warp.lane() / columns; dy <= window.dy_max; dy += rows) {
    for (std::int32_t dx = window.dx_min + warp.lane() % columns; dx <= window.dx_max;
         dx += columns) {
      act(dx, dy);
    }
  }
}

/// Enters what landing at (dx, dy) of the cell's window as `landing` is worth, for each kind of
/// action: table[kind · kind_stride + place in the window].
TIDEWISE_HOST_DEVICE inline void enter_outcome(const ExplicitRule& rule, const CellWindow& window,
                                               std::int32_t column, std::int32_t row, Offset to,
                                               StepOutcome landing, float* table,
                                               std::int32_t kind_stride) {
  const auto kinds = static_cast<std::int32_t>(rule.kind.size);
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // kinds are one or two
#endif
  for (std::int32_t kind = 0; kind < kinds; ++kind) {
    table[kind * kind_stride + window.place(to)] =
        rule.outcome.worth(landing, column, row, to, rule.kind[static_cast<std::size_t>(kind)]);
  }
}

/// Fills W(s, ·) of a cell near the border, the target or an obstacle, or at the last step.
template <class Warp>
TIDEWISE_HOST_DEVICE TIDEWISE_NO_INLINE void fill_by_rule(Warp warp, const ExplicitRule& rule,
                                                          CellWindow window, std::int32_t column,
                                                          std::int32_t row, float* table,
                                                          std::int32_t kind_stride) {
  for_each_offset(warp, window, [&](std::int32_t dx, std::int32_t dy) {
    const Offset to{dx, dy};
    enter_outcome(rule, window, column, row, to, rule.outcome.landing(column, row, to), table,
                  kind_stride);
  });
}

/// Fills W(s, ·) of the cell at (column, row). Away from border, target and obstacles every landing
/// is under way, and no way need be looked at.
template <class Warp>
TIDEWISE_HOST_DEVICE void fill_outcomes(const Warp& warp, const ExplicitRule& rule,
                                        const CellWindow& window, std::int32_t column,
                                        std::int32_t row, float* table, std::int32_t kind_stride) {
  bool plain = lies_inside(rule, window, column, row);
  if (plain) {
    const Grid& grid = rule.outcome.landing.grid;
    std::uint32_t marks = 0;
    for_each_offset(warp, window, [&](std::int32_t dx, std::int32_t dy) {
      marks |= rule.mark[static_cast<std::size_t>(grid.cell(column + dx, row + dy).value)];
      enter_outcome(rule, window, column, row, {dx, dy}, StepOutcome::under_way, table,
                    kind_stride);
    });
    plain = !warp.any(marks != 0);
  }
  if (!plain) fill_by_rule(warp, rule, window, column, row, table, kind_stride);
  warp.sync();
}

/// What a warp must know of a cell before it can ask for its rows; read one cell ahead.
struct CellHead {
  bool undecided = false;
  std::uint32_t start = 0;   ///< the cell's first block
  std::int32_t size = 0;     ///< entries of the lane's row of the first slice
  std::uint64_t window = 0;  ///< the bits of its CellWindow, in two registers instead of four
};

TIDEWISE_HOST_DEVICE inline CellWindow window_of(const CellHead& head) {
  static_assert(sizeof(CellWindow) == sizeof head.window);
  CellWindow window;
  std::memcpy(static_cast<void*>(&window), &head.window, sizeof window);
  return window;
}

TIDEWISE_HOST_DEVICE inline CellHead read_head(const ExplicitRule& rule, const PackedView& level,
                                               std::int32_t cell, std::int32_t lane) {
  const auto place = static_cast<std::size_t>(cell);
  CellHead head;
  head.undecided = rule.is_undecided(place);
  head.start = level.cell_start[place];
  head.size = lane < level.action_count ? level.row_size[level.row(cell, lane)] : 0;
  std::memcpy(&head.window, level.window.data + place, sizeof head.window);
  return head;
}

/// The shared memory of one warp.
template <class Entry>
struct WarpScratch {
  float* table = nullptr;               ///< W(s, ·), (kind, place)
  std::int32_t kind_stride = 0;         ///< ≥ places of any window
  EntryBlock<Entry>* staged = nullptr;  ///< blocks of a slice, where the source wants it
};

/// The backup of cells first, first + stride, … : action and value (y, x) are written for each.
template <class Source, class Entry, class Warp>
TIDEWISE_HOST_DEVICE void back_up_cells(const Warp& warp, const ExplicitRule& rule,
                                        const PackedView& level, const WarpScratch<Entry>& scratch,
                                        std::int32_t first, std::int32_t stride, View<float> value,
                                        View<std::int16_t> action) {
  const Grid& grid = rule.outcome.landing.grid;
  const std::int32_t cells = grid.cell_count();
  CellHead coming;
  if (first < cells) coming = read_head(rule, level, first, warp.lane());
  for (std::int32_t cell = first; cell < cells; cell += stride) {
    const CellHead head = coming;
    if (cell + stride < cells) coming = read_head(rule, level, cell + stride, warp.lane());
    BestAction best;
    if (head.undecided) {
      const EntryBlock<Entry>* slice = level.blocks_as<Entry>() + head.start;
      for (std::int32_t a = warp.lane(); a - warp.lane() < level.action_count;
           a += rows_per_slice) {
        const bool first_slice = a == warp.lane();
        std::int32_t size = head.size;
        if (!first_slice) size = a < level.action_count ? level.row_size[level.row(cell, a)] : 0;
        Source source(warp, slice, blocks_of(size), scratch.staged);
        if (first_slice) {  // while the first blocks are on their way
          fill_outcomes(warp, rule, window_of(head), grid.column(CellIndex(cell)),
                        grid.row(CellIndex(cell)), scratch.table, scratch.kind_stride);
        }
        source.wait(warp);
        const std::int32_t kind =
            a < level.action_count ? rule.kind_of[static_cast<std::size_t>(a)] : 0;
        const float* outcome = scratch.table + kind * scratch.kind_stride;
        RowSum sum;
        source.for_each_block(
            warp, [&](const EntryBlock<Entry>& block) { sum.add_block(block, outcome); });
        if (a < level.action_count) best.consider(sum.sum() * rule.inverse_count, a);
        slice = source.end();
      }
      best = best_of(warp, best);
    } else {
      best.value = rule.boundary_value(static_cast<std::size_t>(cell));
    }
    if (warp.lane() == 0) {
      value[static_cast<std::size_t>(cell)] = best.value;
      action[static_cast<std::size_t>(cell)] = static_cast<std::int16_t>(best.action);
    }
    warp.sync();  // the table is free for the next cell
  }
}

/// The best action of a cell whose rows' expectations are known: expected + immediate, either
/// (row), the second may be empty.
template <class Warp>
TIDEWISE_HOST_DEVICE void choose_action(const Warp& warp, const ExplicitRule& rule,
                                        std::int32_t action_count, View<const float> expected,
                                        View<const float> immediate, std::int32_t cell,
                                        View<float> value, View<std::int16_t> action) {
  const auto place = static_cast<std::size_t>(cell);
  BestAction best;
  if (rule.is_undecided(place)) {
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
