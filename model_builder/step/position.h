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

// Position after a step along one axis, relative to the centre of the initial cell (docs/model.md,
// 1.2): p = D · 2^(8−b) + t in 1/256 of a cell, where t is the certain part (the mean flow and the
// action) and D the realization's part in bins of 2^-b (spread.h).

/// Positions are in 2^-position_bits of a cell.
inline constexpr std::int32_t position_bits = 8;
inline constexpr std::int32_t positions_per_cell = 1 << position_bits;

template <>
inline constexpr std::array<std::string_view, 2> words_of<LandingBy>{"area", "cell"};

/// Rules of positions and landings. Trivially copyable.
struct PositionRule {
  LandingBy landing = LandingBy::area;
  std::int32_t bin_bits = 3;  ///< b, 0 … 8
  std::int32_t draws = 1;     ///< displacements of an action: 1, or error_draws

  /// 2^(8−b): size of a bin in 1/256 of a cell.
  TIDEWISE_HOST_DEVICE std::int32_t bin() const { return 1 << bin_shift(); }
  TIDEWISE_HOST_DEVICE std::int32_t bin_shift() const { return position_bits - bin_bits; }
  /// Total share of one realization: 2^16 for bilinear weights, 1 for the nearest cell.
  TIDEWISE_HOST_DEVICE std::uint32_t share() const {
    return landing == LandingBy::area ? 1u << 2 * position_bits : 1u;
  }
  /// Number of cells along one axis to which a position is assigned.
  TIDEWISE_HOST_DEVICE std::int32_t cells_touched() const {
    return landing == LandingBy::area ? 2 : 1;
  }
  /// The first of these cells, relative to the initial cell. A position on the edge between two
  /// cells belongs to the eastern (northern) one.
  TIDEWISE_HOST_DEVICE std::int32_t first_cell(std::int32_t position) const {
    const std::int32_t half = landing == LandingBy::area ? 0 : positions_per_cell / 2;
    return (position + half) >> position_bits;
  }
  /// The first and the last cell to which a displacement, in 2^-20 of a cell before rounding to a
  /// position, is assigned.
  TIDEWISE_HOST_DEVICE std::int32_t first_cell_of(std::int32_t displacement) const {
    return (displacement + (landing == LandingBy::area ? 0 : half_cell)) >> fraction_bits;
  }
  TIDEWISE_HOST_DEVICE std::int32_t last_cell_of(std::int32_t displacement) const {
    return first_cell_of(displacement) + cells_touched() - 1;
  }
  /// Share of the second of these cells, in 1/256. Only for bilinear weights.
  TIDEWISE_HOST_DEVICE static std::int32_t second_share(std::int32_t position) {
    return position & (positions_per_cell - 1);
  }
};

/// The rule for an ensemble. Finer bins would cost time for large ensembles, and change no
/// prediction by more than some 0.08 % (docs/trust/accuracy.md); small ensembles use them. Errors:
/// InputError if rows with bilinear weights would exceed 31 bits: for more than
/// max_realizations_by_area divided by `draws`.
PositionRule position_rule(LandingBy landing, const EnvironmentInfo& info, std::int32_t draws = 1);

/// 2^15 − 1: this number of shares of 2^16 is below 2^31.
inline constexpr std::int32_t max_realizations_by_area = 32767;

/// Total weight of all realizations, without shares: Nr if all have the weight 1. Other weights sum
/// to 2^24 for the nearest cell and, because shares take 16 bits more, to max_realizations_by_area
/// divided by rule.draws for bilinear weights.
std::uint32_t counting_total(const EnvironmentInfo& info, const PositionRule& rule);

/// Weight of each realization for an engine; empty if all have the weight 1. (realization)
std::vector<std::uint32_t> counting_weights(const EnvironmentInfo& info, const PositionRule& rule);

/// Sum of the counts of each row: counting_total() times rule.share() and rule.draws, below 2^31.
std::uint32_t row_total(const EnvironmentInfo& info, const PositionRule& rule);

/// t: (M + A + 2^11) >> 12, from displacements in 2^-20 of a cell.
TIDEWISE_HOST_DEVICE inline std::int32_t certain_position(std::int32_t mean, std::int32_t action) {
  constexpr std::int32_t dropped = fraction_bits - position_bits;
  return (mean + action + (1 << (dropped - 1))) >> dropped;
}

/// p from D (`bins`) and t (`certain`).
TIDEWISE_HOST_DEVICE inline std::int32_t position_of(std::int32_t bins, std::int32_t certain,
                                                     const PositionRule& rule) {
  return bins * rule.bin() + certain;
}

/// D along both axes, in bins.
struct Bins {
  std::int32_t x = 0;
  std::int32_t y = 0;
};
/// A position along both axes, in 1/256 of a cell.
struct StepPosition {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

/// t along both axes.
TIDEWISE_HOST_DEVICE inline StepPosition certain_position(Displacement mean, Displacement action) {
  return {certain_position(mean.x, action.x), certain_position(mean.y, action.y)};
}
/// p along both axes.
TIDEWISE_HOST_DEVICE inline StepPosition position_of(Bins bins, StepPosition certain,
                                                     const PositionRule& rule) {
  return {position_of(bins.x, certain.x, rule), position_of(bins.y, certain.y, rule)};
}

/// Calls give(column, row, share) for the one or four cells to which a position is assigned, with
/// their parts of rule.share(). This defines landing (docs/model.md, 1.4).
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
  constexpr std::uint32_t whole = positions_per_cell;
  give(column, row, (whole - east) * (whole - north));
  if (east != 0) give(column + 1, row, east * (whole - north));
  if (north != 0) give(column, row + 1, (whole - east) * north);
  if (east != 0 && north != 0) give(column + 1, row + 1, east * north);
}

}  // namespace tidewise
