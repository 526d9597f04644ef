#pragma once

#include <cstdint>
#include <vector>

#include "env/level_fields.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/position.h"
#include "model_builder/step/velocity_bound.h"

namespace tidewise {

/// Smallest and largest displacements, both included, in 2^-20 of a cell.
struct DisplacementRange {
  std::int32_t x_min = 0;
  std::int32_t x_max = 0;
  std::int32_t y_min = 0;
  std::int32_t y_max = 0;
};

/// Range of each mode's coefficients over the realizations, NaN if one of them is not finite.
/// (mode)
std::vector<Interval> coefficient_ranges(const LevelView& level);

/// A range that contains the flow's part of every position in every given cell under every
/// realization of a level, by interval arithmetic over the modes: mean + Σ_m [min, max of
/// coefficient_m] · mode_m, widened by rounding. It is wider than the cloud, but needs no pass over
/// realizations. Errors: InputError when the range, with the actions, reaches 1024 cells.
DisplacementRange bound_displacements(const LevelView& level, const DisplacementScale& scale,
                                      const PositionRule& rule, View<const CellIndex> cells,
                                      const std::vector<Action>& actions, std::int32_t threads);

/// The neighbouring sub-grid: a window of offsets that contains every landing.
struct SubGrid {
  std::int32_t dx_min = 0;
  std::int32_t dx_max = 0;
  std::int32_t dy_min = 0;
  std::int32_t dy_max = 0;

  TIDEWISE_HOST_DEVICE std::int32_t width() const { return dx_max - dx_min + 1; }
  TIDEWISE_HOST_DEVICE std::int32_t height() const { return dy_max - dy_min + 1; }
  TIDEWISE_HOST_DEVICE std::int32_t size() const { return width() * height(); }
  TIDEWISE_HOST_DEVICE bool holds(Offset o) const {
    return o.dx >= dx_min && o.dx <= dx_max && o.dy >= dy_min && o.dy <= dy_max;
  }
  /// Index of an offset: rows from the south, each from the west.
  TIDEWISE_HOST_DEVICE std::int32_t index(Offset o) const {
    return (o.dy - dy_min) * width() + (o.dx - dx_min);
  }
  TIDEWISE_HOST_DEVICE Offset offset(std::int32_t index) const {
    return {dx_min + index % width(), dy_min + index / width()};
  }
};

/// A table of all offsets of a sub-grid, (index). A look-up replaces two divisions for each entry.
std::vector<Offset> offsets_of(const SubGrid& subgrid);

/// The sub-grid that contains every landing of every action with displacements within `range`.
SubGrid subgrid_of(const DisplacementRange& range, const std::vector<Action>& actions,
                   const PositionRule& rule);

/// The sub-grid that contains every landing of every action from the given cells of a level, each
/// in the flow of its profile. Errors: those of bound_displacements().
SubGrid subgrid_of(const LevelView& level, const TimeAxis& time, const PositionRule& rule,
                   View<const CellIndex> cells, const std::vector<Action>& actions,
                   std::int32_t threads);

/// The smallest sub-grid that contains both.
SubGrid join(const SubGrid& a, const SubGrid& b);

}  // namespace tidewise
