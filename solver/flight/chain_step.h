#pragma once

#include <cstdint>

#include "base/random.h"
#include "model_builder/step/realization_bins.h"
#include "solver/flight/steering.h"
#include "solver/flight/vehicle.h"

namespace tidewise {

/// Random draws of one step: the realization; two numbers 0 … 255, one along each axis, that choose
/// among the cells that share the position; the vehicle's own error.
struct ChainDraw {
  std::int32_t realization = 0;
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t error = 0;  ///< 0 … error_draws − 1
};

/// Draws realizations by their weights. Trivially copyable.
struct RealizationDraw {
  Philox random;
  std::uint32_t total = 0;          ///< counting_total()
  View<const std::uint32_t> up_to;  ///< cumulative weights, (realization); empty: equal weights

  /// Draws of one flight at one level, independent of earlier draws.
  TIDEWISE_HOST_DEVICE ChainDraw operator()(std::int32_t flight, TimeLevel k) const {
    const auto words =
        random(static_cast<std::uint32_t>(flight), static_cast<std::uint32_t>(k.value));
    return {holder(to_range(words.word[0], words.word[1], total)),
            static_cast<std::int32_t>(words.word[2] >> (32 - position_bits)),
            static_cast<std::int32_t>(words.word[3] >> (32 - position_bits)),
            static_cast<std::int32_t>(words.word[3] % static_cast<std::uint32_t>(error_draws))};
  }

  /// Realization that holds ticket 0 … total−1. Each holds as many tickets as its weight.
  TIDEWISE_HOST_DEVICE std::int32_t holder(std::uint32_t ticket) const {
    if (up_to.empty()) return static_cast<std::int32_t>(ticket);
    std::size_t first = 0;  // the first realization whose cumulative weight is above the ticket
    for (std::size_t count = up_to.size; count > 0;) {
      const std::size_t half = count / 2;
      if (up_to[first + half] <= ticket) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return static_cast<std::int32_t>(first);
  }
};

/// One step of the model itself: from the cell's centre, through a newly drawn realization, in the
/// exact arithmetic of position.h, to the centre of the cell where it lands, or to the point where
/// the path enters the target's disc. With bilinear weights the cells that share the position are
/// drawn with their weights. Requires displacements under 1024 cells, which the solver has checked.
/// Trivially copyable.
struct ChainStep {
  StepContext context;
  DisplacementScale scale;
  PositionRule positions;
  View<const ModeScale> modes;  ///< scales of the modes of the level, (mode)
  RealizationDraw draw;

  TIDEWISE_HOST_DEVICE StepRecord operator()(std::int32_t flight, TimeLevel k,
                                             Vehicle& vehicle) const {
    const Grid& grid = context.rule.grid;
    const std::int32_t column = grid.column_at(vehicle.x);
    const std::int32_t row = grid.row_at(vehicle.y);
    const auto from_cell = static_cast<std::size_t>(grid.cell(column, row).value);
    const std::int16_t action = action_of(context, from_cell, vehicle);
    if (action == no_action) return stranded(context, grid.cell(column, row), vehicle);
    const ActionEffect& effect = context.effect_in(from_cell, action);
    vehicle.hold(action, effect);
    const Offset to = landing(from_cell, draw(flight, k), effect);
    const StepEnd end = context.rule.end_of_flight(column, row, to, context.rule(column, row, to));
    const bool has_scalar = !context.now.scalar.empty();
    enter(context.result(
              effect, end, column + to.dx, row + to.dy,
              has_scalar ? context.now.scalar[from_cell] : 0.0F,
              has_scalar
                  ? context.next.scalar[static_cast<std::size_t>(field_cell(grid, column, row, to))]
                  : 0.0F),
          end, vehicle);
    const double flown = end.fraction;  // fraction of the straight path
    vehicle.x = flown < 1 ? grid.x(column) + flown * to.dx * grid.dx : grid.x(column + to.dx);
    vehicle.y = flown < 1 ? grid.y(row) + flown * to.dy * grid.dy : grid.y(row + to.dy);
    return {end.outcome, action};
  }

 private:
  TIDEWISE_HOST_DEVICE Offset landing(std::size_t cell, const ChainDraw& drawn,
                                      const ActionEffect& effect) const {
    const StepPosition to =
        realization_position(context.now.profile(effect.profile), scale, positions, modes.data,
                             cell, static_cast<std::size_t>(drawn.realization),
                             with_error(effect.displacement, effect.error, drawn.error));
    const Offset first{positions.first_cell(to.x), positions.first_cell(to.y)};
    if (positions.landing == LandingBy::cell) return first;
    return {first.dx + (drawn.x < PositionRule::second_share(to.x) ? 1 : 0),
            first.dy + (drawn.y < PositionRule::second_share(to.y) ? 1 : 0)};
  }
};

}  // namespace tidewise
