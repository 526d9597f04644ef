#pragma once

#include <cmath>
#include <cstdint>

#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/position.h"
#include "model_builder/step/velocity_bound.h"

namespace tidewise {

/// Bounds of the displacement by the flow of one cell in a step, under any realization.
struct CellReach {
  /// Contains the flow's part of every position, in 2^-20 of a cell; all 0 if `farthest` reaches
  /// 1024 cells.
  DisplacementRange range;
  /// Upper bound of the magnitudes of the displacement and of its mean along either axis, in 2^-20
  /// of a cell; infinite if the flow is not finite.
  double farthest = 0;
};

/// True if steps stay below 1024 cells. `farthest`: as in CellReach; `action_reach`: the greatest
/// |displacement| of an action.
TIDEWISE_HOST_DEVICE inline bool within_reach(double farthest, std::int32_t action_reach) {
  return farthest + action_reach + 2 < static_cast<double>(greatest_displacement) * one_cell;
}

/// The reach of one cell. `coefficients`: range of each mode's coefficients, NaN if one is not
/// finite. (mode)
TIDEWISE_HOST_DEVICE inline CellReach cell_reach(const LevelView& level,
                                                 const DisplacementScale& scale,
                                                 const PositionRule& rule,
                                                 const Interval* coefficients, std::size_t cell) {
  const auto finite = [](const Interval& v) { return v.min - v.min == 0 && v.max - v.max == 0; };
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  const std::size_t stride = level.u_mean.size;
  // A dry cell has no flow, but modes shared by levels may be nonzero there.
  const bool dry = !level.dry.empty() && level.dry[cell] != 0;
  const std::int32_t modes = dry ? 0 : level.mode_count;
  const Interval u =
      bound_velocity(level.u_mean[cell], level.u_mode.data + cell, stride, coefficients, modes);
  const Interval v =
      bound_velocity(level.v_mean[cell], level.v_mode.data + cell, stride, coefficients, modes);
  CellReach reach;
  if (!finite(u) || !finite(v)) {
    reach.farthest = HUGE_VAL;
    return reach;
  }
  // Half a bin, the rounding of the sum if s is at its limit, and 1/512 of a cell for t.
  const double slack =
      static_cast<double>(one_cell >> rule.bin_bits) * (0.5 + level.mode_count * 0x1p-9) +
      one_cell / (2.0 * positions_per_cell);
  const double west = u.min * scale.x - slack;
  const double east = u.max * scale.x + slack;
  const double south = v.min * scale.y - slack;
  const double north = v.max * scale.y + slack;
  const auto mean = [](float value, float factor) {
    return value < 0 ? -double{value} * factor : double{value} * factor;
  };
  reach.farthest =
      larger(larger(larger(0.0, larger(-west, east)), larger(-south, north)),
             larger(mean(level.u_mean[cell], scale.x), mean(level.v_mean[cell], scale.y)));
  if (!within_reach(reach.farthest, 0)) return reach;
  reach.range = {static_cast<std::int32_t>(std::floor(west)) - 1,
                 static_cast<std::int32_t>(std::ceil(east)) + 1,
                 static_cast<std::int32_t>(std::floor(south)) - 1,
                 static_cast<std::int32_t>(std::ceil(north)) + 1};
  return reach;
}

/// The greatest |displacement| of an action along either axis, in 2^-20 of a cell.
std::int32_t action_reach(const std::vector<Action>& actions);

/// Errors: InputError unless within_reach(farthest, action_reach).
void require_reach(double farthest, std::int32_t action_reach);

}  // namespace tidewise
