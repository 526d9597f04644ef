#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/backup/expectation.h"
#include "solver/explicit/cell_outcomes.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// What a backup from packed rows needs beside the rows. Trivially copyable.
struct ExplicitRule {
  OutcomeRule outcome;
  View<const float> kind;            ///< (kind): the reward's part that depends on the action alone
  View<const std::int32_t> kind_of;  ///< (action): place in `kind`
  View<const OutcomeWord> outcomes;  ///< (cell, word), of FindOutcomes
  std::int32_t words = 1;            ///< a cell
  float inverse_count = 0;           ///< float32(1/Nr)

  /// Whether the cell is open water outside the target: an action is to be found for it.
  TIDEWISE_HOST_DEVICE bool is_non_terminal(std::size_t cell) const {
    return outcome.landing.is_non_terminal(cell);
  }
  /// The value of a cell that is not.
  TIDEWISE_HOST_DEVICE float boundary_value(std::size_t cell) const {
    const LandingRule& landing = outcome.landing;
    return boundary_worth(landing.grid, landing.disc, outcome.failure,
                          landing.masked_now[cell] != 0, landing.target[cell] != 0,
                          static_cast<std::int32_t>(cell));
  }
};

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
    if (!rule.is_non_terminal(static_cast<std::size_t>(cell))) return 0.0F;
    const OutcomeRule& outcome = rule.outcome;
    const std::int32_t i = outcome.landing.grid.column(CellIndex(cell));
    const std::int32_t j = outcome.landing.grid.row(CellIndex(cell));
    const CellStencil window = level.window[static_cast<std::size_t>(cell)];
    const float part =
        rule.kind[static_cast<std::size_t>(rule.kind_of[static_cast<std::size_t>(action)])];
    OrderedSum sum;
    for_each_entry<Entry>(level, cell, action, [&](Entry entry) {
      const Offset to = window.offset(level.code.place(entry));
      if (opens_row(entry)) sum.next_row();
      sum.add(level.code.count(entry), outcome.worth(outcome.landing(i, j, to), i, j, to, part));
    });
    return sum.sum() * rule.inverse_count;
  }
};

}  // namespace tidewise
