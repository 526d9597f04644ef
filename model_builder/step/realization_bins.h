#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "env/level_fields.h"
#include "model_builder/step/position.h"
#include "model_builder/step/spread.h"

namespace tidewise {

/// D of one cell under one realization. Each call repeats all computations; LevelSpread is faster
/// for many realizations. `scales`: factors of the level's modes, (mode).
TIDEWISE_HOST_DEVICE inline Bins realization_bins(const LevelView& level, const ModeScale* scales,
                                                  std::size_t cell, std::size_t realization) {
  const auto realizations = static_cast<std::size_t>(level.realization_count);
  const std::size_t stride = level.u_mean.size;
  std::int32_t sum = 0;
  const auto add = [&](std::int32_t m, std::int32_t mode) {
    const float coefficient =
        level.coefficient[static_cast<std::size_t>(m) * realizations + realization];
    sum += integer_coefficient(coefficient, scales[m].coefficient) * mode;
  };
  const std::int32_t x_shift = integer_modes(
      level.u_mode.data + cell, stride, level.mode_count,
      [scales](std::int32_t m) { return scales[m].x; }, add);
  const std::int32_t x = bins_of_sum(sum, x_shift);
  sum = 0;
  const std::int32_t y_shift = integer_modes(
      level.v_mode.data + cell, stride, level.mode_count,
      [scales](std::int32_t m) { return scales[m].y; }, add);
  return {x, bins_of_sum(sum, y_shift)};
}

/// M of one cell: displacement by its mean flow, in 2^-20 of a cell.
TIDEWISE_HOST_DEVICE inline Displacement mean_displacement(const LevelView& level,
                                                           const DisplacementScale& scale,
                                                           std::size_t cell) {
  return {to_displacement(level.u_mean[cell], scale.x),
          to_displacement(level.v_mean[cell], scale.y)};
}

/// p of one cell under one realization and action.
TIDEWISE_HOST_DEVICE inline StepPosition realization_position(
    const LevelView& level, const DisplacementScale& scale, const PositionRule& rule,
    const ModeScale* scales, std::size_t cell, std::size_t realization, Displacement action) {
  const Displacement mean = mean_displacement(level, scale, cell);
  return position_of(realization_bins(level, scales, cell, realization),
                     certain_position(mean, action), rule);
}

}  // namespace tidewise
