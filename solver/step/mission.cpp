#include "solver/step/mission.h"

#include <algorithm>
#include <cmath>

namespace tidewise {

std::vector<TimeLevel> departure_levels(const Mission& mission) {
  std::vector<TimeLevel> levels{mission.departure};
  if (weight_of_next_level(mission) > 0) levels.emplace_back(mission.departure.value + 1);
  return levels;
}

std::vector<std::uint8_t> target_cells(const Grid& grid, double x, double y, double radius) {
  std::vector<std::uint8_t> target(static_cast<std::size_t>(grid.cell_count()), 0);
  // Skips distant cells early, because batches validate thousands of missions.
  for (std::int32_t j = 0; j < grid.ny; ++j) {
    const double along_y = grid.y(j) - y;
    if (std::abs(along_y) > radius) continue;
    for (std::int32_t i = 0; i < grid.nx; ++i) {
      const double along_x = grid.x(i) - x;
      const bool inside = std::abs(along_x) <= radius && std::hypot(along_x, along_y) <= radius;
      target[static_cast<std::size_t>(grid.cell(i, j).value)] = inside ? 1 : 0;
    }
  }
  target[static_cast<std::size_t>(grid.cell(grid.column_at(x), grid.row_at(y)).value)] = 1;
  return target;
}

TargetDisc target_disc(const Grid& grid, double x, double y, double radius) {
  TargetDisc disc;
  const TargetCircle centre{(x - grid.x_first) / grid.dx,
                            grid.first_row + (y - grid.y_first) / grid.dy, radius};
  disc.circle[0] = centre;
  disc.radius = radius;
  if (radius > 0) {  // one more cell on every side, for rounding
    const auto whole = [](double n) {
      constexpr double far = 1 << 30;
      return static_cast<std::int32_t>(std::clamp(n, -far, far));
    };
    disc.west = whole(std::floor(centre.column - radius / grid.dx) - 1);
    disc.east = whole(std::ceil(centre.column + radius / grid.dx) + 1);
    disc.south = whole(std::floor(centre.row - radius / grid.dy) - 1);
    disc.north = whole(std::ceil(centre.row + radius / grid.dy) + 1);
  }
  return disc;
}

}  // namespace tidewise
