#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "solver/explicit/rule.h"
#include "solver/step/immediate_value.h"

namespace tidewise {

// One level as a matrix: expectation of row r = Σ P(r, s') v(k+1, s') + immediate(r). P has the
// landings that leave the vehicle under way. The values of other landings do not depend on v; they
// are part of the immediate reward, as are the rewards of all steps. The sums are plain float32
// sums, so they agree with the order of expectation.h only to rounding.

/// Counts the entries of a row of P. Trivially copyable.
struct CountSparseRow {
  ExplicitRule rule;
  PackedView level;
  View<std::int32_t> size;  ///< (row), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t row) const;
};

/// Fills a row of P and its immediate reward. Trivially copyable.
struct FillSparseRow {
  ExplicitRule rule;
  PackedView level;
  View<const std::int32_t> row_start;  ///< (row + 1)
  View<std::int32_t> column;           ///< (entry): cell at k+1, written
  View<float> probability;             ///< (entry), written
  View<float> immediate;               ///< (row), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t row) const;
};

/// Calls act(count, to, end) for every entry of a row; makes no call for a cell without an action.
template <class Entry, class Act>
TIDEWISE_HOST_DEVICE void for_each_landing(const ExplicitRule& rule, const PackedView& level,
                                           std::size_t row, const Act& act) {
  const auto actions = static_cast<std::size_t>(level.action_count);
  const auto cell = static_cast<std::int32_t>(row / actions);
  if (!rule.is_non_terminal(static_cast<std::size_t>(cell))) return;
  const Grid& grid = rule.outcome.landing.grid;
  const CellStencil window = level.window[static_cast<std::size_t>(cell)];
  for_each_entry<Entry>(level, cell, static_cast<std::int32_t>(row % actions), [&](Entry entry) {
    const Offset to = window.offset(level.code.place(entry));
    act(level.code.count(entry), to,
        rule.outcome.landing(grid.column(CellIndex(cell)), grid.row(CellIndex(cell)), to));
  });
}

/// for_each_landing() for a level of either entry width.
template <class Act>
TIDEWISE_HOST_DEVICE void for_each_landing(const ExplicitRule& rule, const PackedView& level,
                                           std::size_t row, const Act& act) {
  if (level.width == EntryWidth::narrow) {
    for_each_landing<NarrowEntry>(rule, level, row, act);
  } else {
    for_each_landing<WideEntry>(rule, level, row, act);
  }
}

TIDEWISE_HOST_DEVICE inline void CountSparseRow::operator()(std::size_t row) const {
  std::int32_t entries = 0;
  for_each_landing(rule, level, row, [&](float, Offset, const StepEnd& end) {
    if (end.outcome == StepOutcome::under_way) ++entries;
  });
  size[row] = entries;
}

TIDEWISE_HOST_DEVICE inline void FillSparseRow::operator()(std::size_t row) const {
  const auto actions = static_cast<std::size_t>(level.action_count);
  const CellIndex cell(static_cast<std::int32_t>(row / actions));
  const Grid& grid = rule.outcome.landing.grid;
  const std::int32_t i = grid.column(cell);
  const std::int32_t j = grid.row(cell);
  const float part = rule.kind[static_cast<std::size_t>(rule.kind_of[row % actions])];
  auto place = static_cast<std::size_t>(row_start[row]);
  float sum = 0.0F;
  for_each_landing(rule, level, row, [&](float count, Offset to, const StepEnd& end) {
    const float value = immediate_value(rule.outcome, end, i, j, to, part);
    sum = std::fma(count, value, sum);
    if (end.outcome != StepOutcome::under_way) return;
    column[place] = grid.cell(i + to.dx, j + to.dy).value;
    probability[place] = count * rule.inverse_count;
    ++place;
  });
  immediate[row] = sum * rule.inverse_count;
}

}  // namespace tidewise
