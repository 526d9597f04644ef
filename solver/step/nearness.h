#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/environment_info.h"
#include "env/grid.h"
#include "solver/step/mission.h"
#include "solver/step/obstacle_index.h"

namespace tidewise {

/// Largest proximity penalty, as a share of the failure penalty.
inline constexpr double nearness_share = 0.1;

/// Proximity penalties of a mission's plan. Trivially copyable.
struct NearnessPenalty {
  double margin = 0;    ///< [m or 1]; 0: no penalty anywhere
  double obstacle = 0;  ///< next to a closed cell, 0 or less
  double outside = 0;   ///< in a cell at the border of the grid, 0 or less
};
/// Penalties of a mission; 0 if it has no margin.
NearnessPenalty nearness_penalty(const Mission& mission);

/// Proximity penalty of a vehicle that begins a step near a closed cell or the border
/// (docs/model.md, 3.10). Only the plan applies it, because the plan draws a realization for each
/// step and thus ignores currents that keep setting towards an obstacle. Flights do not need it.
/// Trivially copyable.
struct NearnessRule {
  Grid grid;
  NearnessPenalty price;
  View<const std::uint8_t> masked_now;   ///< mask at the level at which the step begins, (y, x)
  View<const std::uint8_t> masked_next;  ///< mask at the next level, (y, x)

  /// Columns and rows within which a closed cell gives a penalty.
  TIDEWISE_HOST_DEVICE std::int32_t columns() const { return cells_within(grid.dx, grid.nx); }
  TIDEWISE_HOST_DEVICE std::int32_t rows() const { return cells_within(grid.dy, grid.ny); }

  /// Penalty of an open cell, 0 or less.
  TIDEWISE_HOST_DEVICE float operator()(CellIndex cell) const {
    const std::int32_t column = grid.column(cell);
    const std::int32_t row = grid.row(cell);
    const double border_penalty = at(to_border(column, row), price.outside);
    const double obstacle_penalty = at(to_obstacle(column, row), price.obstacle);
    return static_cast<float>(border_penalty < obstacle_penalty ? border_penalty
                                                                : obstacle_penalty);
  }
  /// Penalty of an open cell with no closed cell in its neighbourhood, 0 or less.
  TIDEWISE_HOST_DEVICE float in_open_water(CellIndex cell) const {
    return static_cast<float>(at(to_border(grid.column(cell), grid.row(cell)), price.outside));
  }

 private:
  TIDEWISE_HOST_DEVICE std::int32_t cells_within(double size, std::int32_t count) const {
    const double cells = std::ceil(price.margin / size);
    return cells < count ? static_cast<std::int32_t>(cells) : count;
  }
  TIDEWISE_HOST_DEVICE double at(double gap, double largest) const {
    return gap < price.margin ? largest * (1 - gap / price.margin) : 0;
  }
  /// Width of the water between two cells whose columns or rows differ by `offset` [m or 1].
  TIDEWISE_HOST_DEVICE static double gap(std::int32_t offset, double size) {
    const std::int32_t cells_between = (offset < 0 ? -offset : offset) - 1;
    return cells_between > 0 ? cells_between * size : 0;
  }
  TIDEWISE_HOST_DEVICE double to_border(std::int32_t column, std::int32_t row) const {
    const std::int32_t east = grid.nx - 1 - column;
    const std::int32_t north = grid.ny - 1 - row;
    const double x = (column < east ? column : east) * grid.dx;
    const double y = (row < north ? row : north) * grid.dy;
    return x < y ? x : y;
  }
  TIDEWISE_HOST_DEVICE double to_obstacle(std::int32_t column, std::int32_t row) const {
    double min = price.margin * price.margin;
    const std::int32_t max_dx = columns();
    const std::int32_t max_dy = rows();
    for (std::int32_t dy = -max_dy; dy <= max_dy; ++dy) {
      const double y = gap(dy, grid.dy);
      for (std::int32_t dx = -max_dx; dx <= max_dx; ++dx) {
        if (!grid.contains(column + dx, row + dy)) continue;
        const auto neighbour = static_cast<std::size_t>(grid.cell(column + dx, row + dy).value);
        if (masked_now[neighbour] == 0 && masked_next[neighbour] == 0) continue;
        const double x = gap(dx, grid.dx);
        const double square = x * x + y * y;
        if (square < min) min = square;
      }
    }
    return std::sqrt(min);
  }
};

/// NearnessRule for many cells of a level on the CPU. Looks for closed cells only where the index
/// has some.
class NearnessPenalties {
 public:
  /// `obstacles`: index of the rule's masks; must outlive this object.
  NearnessPenalties(const NearnessRule& rule, const ObstacleIndex& obstacles)
      : rule_(rule), obstacles_(obstacles), columns_(rule.columns()), rows_(rule.rows()) {}

  /// Penalty of an open cell, 0 or less.
  float operator()(CellIndex cell) const {
    const std::int32_t column = rule_.grid.column(cell);
    const std::int32_t row = rule_.grid.row(cell);
    return obstacles_.any(column - columns_, column + columns_, row - rows_, row + rows_)
               ? rule_(cell)
               : rule_.in_open_water(cell);
  }

 private:
  NearnessRule rule_;
  const ObstacleIndex& obstacles_;
  std::int32_t columns_;
  std::int32_t rows_;
};

/// Adds the penalties of `cells` to their values, (plane, y, x): v, or the value of each held
/// action.
void add_penalties(const NearnessPenalties& penalties, View<const CellIndex> cells,
                   const Grid& grid, View<float> planes);

}  // namespace tidewise
