#pragma once

#include <cstdint>

#include "base/random.h"
#include "model_builder/step/displacement.h"
#include "solver/step/vehicle.h"

namespace tidewise {

/// Draws realizations by their weights. Trivially copyable.
struct RealizationDraw {
  Philox random;
  std::uint32_t total = 0;          ///< Nr, or 2^24 with weights
  View<const std::uint32_t> up_to;  ///< weights summed up to and with each; empty: all alike

  /// The draw of one flight at one level, whatever was drawn before.
  TIDEWISE_HOST_DEVICE std::int32_t operator()(std::int32_t flight, TimeLevel k) const {
    const auto words =
        random(static_cast<std::uint32_t>(flight), static_cast<std::uint32_t>(k.value));
    return holder(to_range(words.word[0], words.word[1], total));
  }

  /// The realization that holds ticket 0 … total−1: as many tickets each as its weight.
  TIDEWISE_HOST_DEVICE std::int32_t holder(std::uint32_t ticket) const {
    if (up_to.empty()) return static_cast<std::int32_t>(ticket);
    std::size_t first = 0;  // the first realization whose sum is above the ticket
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

/// One step of the model itself: from the cell's centre, through a fresh realization, in the exact
/// arithmetic of displacement.h, to the centre of the cell where it lands, or to where the way
/// there meets the target's disc.
/// Requires displacements under 1024 cells, which the solver has judged. Trivially copyable.
struct ChainStep {
  StepContext context;
  DisplacementScale scale;
  RealizationDraw draw;

  TIDEWISE_HOST_DEVICE StepRecord operator()(std::int32_t flight, TimeLevel k,
                                             Vehicle& vehicle) const {
    const Grid& grid = context.rule.grid;
    const std::int32_t column = grid.column_at(vehicle.x);
    const std::int32_t row = grid.row_at(vehicle.y);
    const auto here = static_cast<std::size_t>(grid.cell(column, row).value);
    const std::int16_t action = context.policy[here];
    if (action == no_action) return stranded(context, vehicle);
    const ActionEffect& taken = context.effect_in(here, action);
    const Offset to = landing(here, draw(flight, k), taken.displacement);
    const StepEnd end = context.rule(column, row, to);
    const bool read = !context.now.scalar.empty();
    enter(
        context.worth(
            taken, end, column + to.dx, row + to.dy, read ? context.now.scalar[here] : 0.0F,
            read ? context.next.scalar[static_cast<std::size_t>(field_cell(grid, column, row, to))]
                 : 0.0F),
        end, vehicle);
    const double flown = end.fraction;  // of the straight way
    vehicle.x = flown < 1 ? grid.x(column) + flown * to.dx * grid.dx : grid.x(column + to.dx);
    vehicle.y = flown < 1 ? grid.y(row) + flown * to.dy * grid.dy : grid.y(row + to.dy);
    return {end.outcome, action};
  }

 private:
  TIDEWISE_HOST_DEVICE Offset landing(std::size_t cell, std::int32_t realization,
                                      Displacement action) const {
    const LevelView& level = context.now;
    const auto realizations = static_cast<std::size_t>(level.realization_count);
    const float* coefficient = level.coefficient.data + realization;
    const float u = velocity(level.u_mean[cell], level.u_mode.data + cell, level.u_mean.size,
                             coefficient, realizations, level.mode_count);
    const float v = velocity(level.v_mean[cell], level.v_mode.data + cell, level.v_mean.size,
                             coefficient, realizations, level.mode_count);
    return {landing_offset(to_displacement(u, scale.x), action.x),
            landing_offset(to_displacement(v, scale.y), action.y)};
  }
};

}  // namespace tidewise
