#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/backup/expectation.h"
#include "solver/step/landing_rule.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// How the landings of one cell end, 32 places of its window a word: bit n of `fails` for place
/// 32·word + n where the step meets an obstacle or leaves the domain, of `outside` where it is the
/// latter, of `arrives` where it ends in the target, of none where the vehicle is under way or its
/// time is up. `fails` and `arrives` in every bit: no action is to be found for the cell.
struct OutcomeWord {
  std::uint32_t fails = 0;
  std::uint32_t arrives = 0;
  std::uint32_t outside = 0;

  TIDEWISE_HOST_DEVICE bool is_decided() const { return (fails & arrives) != 0; }
  /// `last_step`: whether k+1 = L.
  TIDEWISE_HOST_DEVICE StepOutcome at(std::int32_t n, LastStep last_step) const {
    if ((fails >> n & 1u) != 0) {
      return (outside >> n & 1u) != 0 ? StepOutcome::out_of_domain : StepOutcome::obstacle;
    }
    if ((arrives >> n & 1u) != 0) return StepOutcome::arrived;
    return last_step == LastStep::yes ? StepOutcome::out_of_time : StepOutcome::under_way;
  }
};

inline constexpr std::int32_t places_per_word = 32;

/// Words that hold the outcomes of windows of up to `places` cells.
TIDEWISE_HOST_DEVICE inline std::int32_t outcome_words(std::int32_t places) {
  return (places + places_per_word - 1) / places_per_word;
}

/// Finds the outcomes of a level's cells from the rule, a warp a cell. They depend on the forecast,
/// the vehicle and the mission, not on any value, so they can be had before the level's turn comes.
/// Ways are looked at where a closed cell lies in the window, and nowhere else. Trivially copyable.
struct FindOutcomes {
  LandingRule rule;
  PackedView level;
  std::int32_t words = 1;      ///< a cell: outcome_words() of the largest window
  View<OutcomeWord> outcomes;  ///< (cell, word), written

  template <class Warp>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t cell) const {
    const CellStencil window = level.window[static_cast<std::size_t>(cell)];
    const std::int32_t column = rule.grid.column(CellIndex(cell));
    const std::int32_t row = rule.grid.row(CellIndex(cell));
    const bool decided = !rule.is_non_terminal(static_cast<std::size_t>(cell));
    const WaysFromCell ways{
        !has_masked(warp, window, column, row),
        rule.off_target(column, row, window.offset(0), window.offset(window.size() - 1))};
    for (std::int32_t word = 0; word < words; ++word) {
      const std::int32_t place = word * places_per_word + warp.lane();
      StepOutcome outcome = StepOutcome::out_of_domain;
      if (place < window.size()) outcome = rule(column, row, window.offset(place), ways).outcome;
      const bool outside = outcome == StepOutcome::out_of_domain;
      const bool fails = outside || outcome == StepOutcome::obstacle;
      const bool arrives = outcome == StepOutcome::arrived;
      const OutcomeWord found{warp.ballot(fails || decided), warp.ballot(arrives || decided),
                              warp.ballot(outside)};
      if (warp.lane() == 0) {
        outcomes[static_cast<std::size_t>(cell) * static_cast<std::size_t>(words) +
                 static_cast<std::size_t>(word)] = found;
      }
    }
  }

 private:
  /// Every way to a landing lies in the window, which holds Δ = 0.
  template <class Warp>
  TIDEWISE_HOST_DEVICE bool has_masked(const Warp& warp, const CellStencil& window,
                                       std::int32_t column, std::int32_t row) const {
    bool masked = false;
    for (std::int32_t place = warp.lane(); place < window.size(); place += places_per_word) {
      const Offset to = window.offset(place);
      masked = masked || rule.masked(column + to.dx, row + to.dy);
    }
    return warp.any(masked);
  }
};

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
