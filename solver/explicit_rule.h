#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/packed_level.h"
#include "solver/outcome.h"
#include "solver/row_sum.h"

namespace tidewise {

/// What a backup from packed rows needs beside the rows. Trivially copyable.
struct ExplicitRule {
  OutcomeRule outcome;
  View<const float> kind;            ///< (kind): the reward's part that depends on the action alone
  View<const std::int32_t> kind_of;  ///< (action): place in `kind`
  View<const std::uint8_t> mark;     ///< (y, x): 0 where MarkCells found nothing
  float inverse_count = 0;           ///< float32(1/Nr)

  /// Whether the cell is open water outside the target: an action is to be found for it.
  TIDEWISE_HOST_DEVICE bool is_undecided(std::size_t cell) const {
    return outcome.landing.closed_now[cell] == 0 && outcome.landing.target[cell] == 0;
  }
  /// The value of a cell that is not: a mask over the target wins.
  TIDEWISE_HOST_DEVICE float boundary_value(std::size_t cell) const {
    return outcome.landing.closed_now[cell] != 0 ? outcome.failure_penalty : 0.0F;
  }
};

/// Marks the cells that make a landing near them more than "the step's reward and the value there":
/// closed at level k or k+1, or in the target. Trivially copyable.
struct MarkCells {
  View<const std::uint8_t> closed_now;   ///< (y, x)
  View<const std::uint8_t> closed_next;  ///< (y, x)
  View<const std::uint8_t> target;       ///< (y, x)
  View<std::uint8_t> mark;               ///< (y, x), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t cell) const {
    mark[cell] = static_cast<std::uint8_t>(closed_now[cell] | closed_next[cell] | target[cell]);
  }
};

/// Whether a window around (column, row) may lead to a landing under way alone, as far as the
/// grid's border and the time go; the marks say the rest.
TIDEWISE_HOST_DEVICE inline bool lies_inside(const ExplicitRule& rule, const CellWindow& window,
                                             std::int32_t column, std::int32_t row) {
  const LandingRule& landing = rule.outcome.landing;
  return landing.last_step == LastStep::no &&
         landing.grid.contains(column + window.dx_min, row + window.dy_min) &&
         landing.grid.contains(column + window.dx_max, row + window.dy_max);
}

/// float32 of the expected reward of one packed row, each W looked up by the rule itself: slow, and
/// in need of nothing but the row. Trivially copyable.
struct LookUpRow {
  ExplicitRule rule;
  PackedView level;
  View<float> expected;  ///< (row), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t row) const {
    expected[row] = level.width == EntryWidth::narrow ? expectation<NarrowEntry>(row)
                                                      : expectation<WideEntry>(row);
  }

 private:
  template <class Entry>
  TIDEWISE_HOST_DEVICE float expectation(std::size_t row) const {
    const auto actions = static_cast<std::size_t>(level.action_count);
    const auto cell = static_cast<std::int32_t>(row / actions);
    const auto action = static_cast<std::int32_t>(row % actions);
    if (!rule.is_undecided(static_cast<std::size_t>(cell))) return 0.0F;
    const Grid& grid = rule.outcome.landing.grid;
    const std::int32_t i = grid.column(CellIndex(cell));
    const std::int32_t j = grid.row(CellIndex(cell));
    const CellWindow window = level.window[static_cast<std::size_t>(cell)];
    const float part =
        rule.kind[static_cast<std::size_t>(rule.kind_of[static_cast<std::size_t>(action)])];
    RowSum sum;
    for (std::int32_t n = 0; n < level.row_size[row]; ++n) {
      const auto& block =
          level.blocks_as<Entry>()[block_place(level, cell, action, n / entries_per_block)];
      const Entry entry = block.entry[n % entries_per_block];
      const Offset to = window.offset(place_of(entry));
      sum.add(entry, rule.outcome.worth(rule.outcome.landing(i, j, to), i, j, to, part));
    }
    return sum.sum() * rule.inverse_count;
  }
};

}  // namespace tidewise
