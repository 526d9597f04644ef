#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/backup/expectation.h"
#include "solver/step/landing_rule.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// Outcomes of the landings of one cell, for 32 places of its window: bit n is for place 32·word +
/// n. `fails`: the step hits an obstacle or leaves the domain; `outside`: it leaves the domain;
/// `arrives`: it ends in the target; no bit: the vehicle is under way or its time is up. All bits
/// of both `fails` and `arrives` are set if the cell has no action.
struct OutcomeWord {
  std::uint32_t fails = 0;
  std::uint32_t arrives = 0;
  std::uint32_t outside = 0;

  /// True if the cell has no action.
  TIDEWISE_HOST_DEVICE bool is_decided() const { return (fails & arrives) != 0; }
  /// Outcome at the n-th place of the word.
  TIDEWISE_HOST_DEVICE StepOutcome at(std::int32_t n, LastStep last_step) const {
    if ((fails >> n & 1u) != 0) {
      return (outside >> n & 1u) != 0 ? StepOutcome::out_of_domain : StepOutcome::obstacle;
    }
    if ((arrives >> n & 1u) != 0) return StepOutcome::arrived;
    return last_step == LastStep::yes ? StepOutcome::out_of_time : StepOutcome::under_way;
  }
};

/// Places in a word.
inline constexpr std::int32_t places_per_word = 32;

/// Number of words for the outcomes of a window of `places` cells.
TIDEWISE_HOST_DEVICE inline std::int32_t outcome_words(std::int32_t places) {
  return (places + places_per_word - 1) / places_per_word;
}

/// Finds the outcomes of a level's cells from the rule, one warp per cell. They depend on the
/// forecast, the vehicle and the mission, but not on values, so they can be computed ahead. Paths
/// are traced only if the window contains a closed cell. Trivially copyable.
struct FindOutcomes {
  LandingRule rule;
  PackedView level;
  std::int32_t words = 1;      ///< per cell: outcome_words() of the largest window
  View<OutcomeWord> outcomes;  ///< (cell, word), written

  template <class Warp>
  TIDEWISE_HOST_DEVICE void operator()(const Warp& warp, std::int32_t cell) const {
    const CellStencil window = level.window[static_cast<std::size_t>(cell)];
    const std::int32_t column = rule.grid.column(CellIndex(cell));
    const std::int32_t row = rule.grid.row(CellIndex(cell));
    const bool decided = !rule.is_non_terminal(static_cast<std::size_t>(cell));
    const PathsFromCell paths{
        !has_masked(warp, window, column, row),
        rule.off_target(column, row, window.offset(0), window.offset(window.size() - 1))};
    for (std::int32_t word = 0; word < words; ++word) {
      const std::int32_t place = word * places_per_word + warp.lane();
      StepOutcome outcome = StepOutcome::out_of_domain;
      if (place < window.size()) outcome = rule(column, row, window.offset(place), paths).outcome;
      const bool outside = outcome == StepOutcome::out_of_domain;
      const bool fails = outside || outcome == StepOutcome::obstacle;
      const bool arrives = outcome == StepOutcome::arrived;
      const OutcomeWord result{warp.ballot(fails || decided), warp.ballot(arrives || decided),
                               warp.ballot(outside)};
      if (warp.lane() == 0) {
        outcomes[static_cast<std::size_t>(cell) * static_cast<std::size_t>(words) +
                 static_cast<std::size_t>(word)] = result;
      }
    }
  }

 private:
  // The window contains Δ = 0 and the path to every landing.
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

/// Inputs of a backup from packed rows, without the rows. Trivially copyable.
struct ExplicitRule {
  OutcomeRule outcome;
  View<const float> kind;  ///< (kind): the part of the reward that depends only on the action
  View<const std::int32_t> kind_of;  ///< (action): index into `kind`
  View<const OutcomeWord> outcomes;  ///< (cell, word), from FindOutcomes
  std::int32_t words = 1;            ///< per cell
  float inverse_count = 0;           ///< float32(1/Nr)

  /// True if the backup must find an action for the cell: open water outside the target.
  TIDEWISE_HOST_DEVICE bool is_non_terminal(std::size_t cell) const {
    return outcome.landing.is_non_terminal(cell);
  }
  /// Value of a cell without an action.
  TIDEWISE_HOST_DEVICE float boundary_value(std::size_t cell) const {
    const LandingRule& landing = outcome.landing;
    return cell_boundary_value(landing.grid, landing.disc, outcome.failure,
                               landing.masked_now[cell] != 0, landing.target[cell] != 0,
                               static_cast<std::int32_t>(cell));
  }
};

/// Computes the expected reward of one packed row in float32, with each W computed from the rule.
/// Slow, but needs only the row. Trivially copyable.
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
      sum.add(level.code.count(entry),
              outcome.step_return(outcome.landing(i, j, to), i, j, to, part));
    });
    return sum.sum() * rule.inverse_count;
  }
};

}  // namespace tidewise
