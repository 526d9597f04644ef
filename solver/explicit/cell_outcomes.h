#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"
#include "solver/step/landing_rule.h"

namespace tidewise {

/// How the landings of one cell end, 32 places of its window a word: bit n of `fails` for place
/// 32·word + n where the step fails, of `arrives` where it ends in the target, of neither where the
/// vehicle is under way. Both in every bit: no action is to be found for the cell.
struct OutcomeWord {
  std::uint32_t fails = 0;
  std::uint32_t arrives = 0;

  TIDEWISE_HOST_DEVICE bool is_decided() const { return (fails & arrives) != 0; }
  TIDEWISE_HOST_DEVICE bool fails_at(std::int32_t n) const { return (fails >> n & 1u) != 0; }
  TIDEWISE_HOST_DEVICE bool arrives_at(std::int32_t n) const { return (arrives >> n & 1u) != 0; }
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
    const bool near = has_masked(warp, window, column, row);
    for (std::int32_t word = 0; word < words; ++word) {
      const std::int32_t place = word * places_per_word + warp.lane();
      StepOutcome outcome = StepOutcome::out_of_domain;
      if (place < window.size()) {
        const Offset to = window.offset(place);
        outcome = rule(column, row, to, !near);
      }
      const bool arrives = outcome == StepOutcome::arrived;
      const OutcomeWord found{warp.ballot(has_failed(outcome) || decided),
                              warp.ballot(arrives || decided)};
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

}  // namespace tidewise
