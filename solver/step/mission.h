#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "env/grid.h"

namespace tidewise {

enum class Objective { time, energy, net_energy, weighted };

std::string_view to_string(Objective objective);

/// What motion costs and harvesting brings. F: speed through the water, g: mean scalar field.
struct EnergyModel {
  double c_f = 1.0;  ///< spent: (c_f F² + c_t) a unit of time
  double c_t = 0.0;
  double c_r = 1.0;    ///< harvested: c_r g a unit of time
  double alpha = 0.5;  ///< `weighted`: α c_f F² + (1−α)
};

/// One mission on one environment, resolved to cells and levels.
struct Mission {
  Objective objective = Objective::time;
  EnergyModel energy;
  double start_x = 0;  ///< [m or 1]
  double start_y = 0;
  double target_x = 0;
  double target_y = 0;
  CellIndex start;                   ///< the cell that holds the start
  std::vector<std::uint8_t> target;  ///< (y, x), 1 in the target
  TimeLevel departure;
  TimeLevel last;  ///< L: the level at which time is up
  float arrival_reward = 100.0F;
  float failure_penalty = -1000.0F;
};

/// Cells whose centre lies within `radius` of (x, y), and always the cell that holds it. (y, x)
/// Requires that the point lies in the grid.
std::vector<std::uint8_t> target_cells(const Grid& grid, double x, double y, double radius);

}  // namespace tidewise
