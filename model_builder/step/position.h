#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/host_device.h"
#include "base/words.h"
#include "env/environment_info.h"
#include "model_builder/step/displacement.h"
#include "tidewise/backend.h"

namespace tidewise {

// Where a step leads along one axis, counted from the centre of the cell where it begins
// (docs/model.md, 1.2): p = D · 2^(8−b) + t in 1/256 of a cell, with t what is certain (the mean
// flow and the action) and D the realization's own part in bins of 2^-b (spread.h).

inline constexpr std::int32_t position_bits = 8;
inline constexpr std::int32_t positions_a_cell = 1 << position_bits;

template <>
inline constexpr std::array<std::string_view, 2> words_of<LandingBy>{"area", "cell"};

/// How positions are made and what becomes of them. Trivially copyable.
struct PositionRule {
  LandingBy landing = LandingBy::area;
  std::int32_t bin_bits = 3;  ///< b, 0 … 8
  std::int32_t draws = 1;     ///< displacements of an action: 1, or error_draws

  /// 2^(8−b): a bin in 1/256 of a cell.
  TIDEWISE_HOST_DEVICE std::int32_t bin() const { return 1 << bin_shift(); }
  TIDEWISE_HOST_DEVICE std::int32_t bin_shift() const { return position_bits - bin_bits; }
  /// What one realization counts for: 2^16 shares of area, or 1.
  TIDEWISE_HOST_DEVICE std::uint32_t share() const {
    return landing == LandingBy::area ? 1u << 2 * position_bits : 1u;
  }
  /// Cells along one axis that one position is given to.
  TIDEWISE_HOST_DEVICE std::int32_t cells_touched() const {
    return landing == LandingBy::area ? 2 : 1;
  }
  /// The first of them, counted from the cell where the step begins. A position on the edge
  /// between two cells belongs to the eastern (northern) one.
  TIDEWISE_HOST_DEVICE std::int32_t first_cell(std::int32_t position) const {
    const std::int32_t half = landing == LandingBy::area ? 0 : positions_a_cell / 2;
    return (position + half) >> position_bits;
  }
  /// The first and the last cell that a displacement in 2^-20 of a cell, rounded to no position
  /// yet, is given to.
  TIDEWISE_HOST_DEVICE std::int32_t first_cell_of(std::int32_t displacement) const {
    return (displacement + (landing == LandingBy::area ? 0 : half_cell)) >> fraction_bits;
  }
  TIDEWISE_HOST_DEVICE std::int32_t last_cell_of(std::int32_t displacement) const {
    return first_cell_of(displacement) + cells_touched() - 1;
  }
  /// The share of the second of them, of 256. By area alone.
  TIDEWISE_HOST_DEVICE static std::int32_t second_share(std::int32_t position) {
    return position & (positions_a_cell - 1);
  }
};

/// The rule for an ensemble. Finer bins would cost a large one time and move no promise by more
/// than some 0.08 % (docs/trust/accuracy.md); small ones can afford them. Errors: InputError where
/// rows by area would not fit 31 bits: more than most_realizations_by_area, divided by `draws`.
PositionRule position_rule(LandingBy landing, const EnvironmentInfo& info, std::int32_t draws = 1);

/// 2^15 − 1: so many shares of 2^16 stay below 2^31.
inline constexpr std::int32_t most_realizations_by_area = 32767;

/// What all realizations count for together, shares aside: Nr where each counts for 1. Weighted
/// ones sum to 2^24 by cell, and by area, where shares take 16 bits more, to
/// most_realizations_by_area, divided by rule.draws.
std::uint32_t counting_total(const EnvironmentInfo& info, const PositionRule& rule);

/// What each realization counts for, as an engine wants it: empty where all count for 1.
/// (realization)
std::vector<std::uint32_t> counting_weights(const EnvironmentInfo& info, const PositionRule& rule);

/// What the counts of every row sum to: counting_total() times rule.share() and rule.draws, below
/// 2^31.
std::uint32_t row_total(const EnvironmentInfo& info, const PositionRule& rule);

/// t: (M + A + 2^11) >> 12, from displacements in 2^-20 of a cell.
TIDEWISE_HOST_DEVICE inline std::int32_t certain_position(std::int32_t mean, std::int32_t action) {
  constexpr std::int32_t dropped = fraction_bits - position_bits;
  return (mean + action + (1 << (dropped - 1))) >> dropped;
}

/// p.
TIDEWISE_HOST_DEVICE inline std::int32_t position_of(std::int32_t bins, std::int32_t certain,
                                                     const PositionRule& rule) {
  return bins * rule.bin() + certain;
}

/// A point along both axes: D in bins, or t and p in 1/256 of a cell.
struct Bins {
  std::int32_t x = 0;
  std::int32_t y = 0;
};
struct StepPosition {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

TIDEWISE_HOST_DEVICE inline StepPosition certain_position(Displacement mean, Displacement action) {
  return {certain_position(mean.x, action.x), certain_position(mean.y, action.y)};
}
TIDEWISE_HOST_DEVICE inline StepPosition position_of(Bins bins, StepPosition certain,
                                                     const PositionRule& rule) {
  return {position_of(bins.x, certain.x, rule), position_of(bins.y, certain.y, rule)};
}

/// Calls give(column, row, share) for the cells that a position is given to, one or four, with
/// their parts of rule.share(): this is what landing means (docs/model.md, 1.4).
template <class Give>
TIDEWISE_HOST_DEVICE void for_each_share(const PositionRule& rule, std::int32_t x, std::int32_t y,
                                         const Give& give) {
  const std::int32_t column = rule.first_cell(x);
  const std::int32_t row = rule.first_cell(y);
  if (rule.landing == LandingBy::cell) {
    give(column, row, 1u);
    return;
  }
  const auto east = static_cast<std::uint32_t>(PositionRule::second_share(x));
  const auto north = static_cast<std::uint32_t>(PositionRule::second_share(y));
  constexpr std::uint32_t whole = positions_a_cell;
  give(column, row, (whole - east) * (whole - north));
  if (east != 0) give(column + 1, row, east * (whole - north));
  if (north != 0) give(column, row + 1, (whole - east) * north);
  if (east != 0 && north != 0) give(column + 1, row + 1, east * north);
}

}  // namespace tidewise
