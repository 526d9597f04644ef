#include "solver/step/target_circles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tidewise {
namespace {

struct TargetCell {
  double column;
  double row;
  std::size_t part = 0;                                       ///< circle that covers it
  double distance = std::numeric_limits<double>::infinity();  ///< to that part's seed
};

double length_between(const Grid& grid, const TargetCell& a, double column, double row) {
  return std::hypot((a.column - column) * grid.dx, (a.row - row) * grid.dy);
}

// Assigns all cells that are nearer to `seed` than to earlier seeds to a new part.
void begin_part(const Grid& grid, std::vector<TargetCell>& cells, const TargetCell seed,
                std::size_t part) {
  for (TargetCell& cell : cells) {
    const double distance = length_between(grid, cell, seed.column, seed.row);
    if (distance >= cell.distance) continue;
    cell.distance = distance;
    cell.part = part;
  }
}

// Circle around the middle of the part's bounds.
TargetCircle circle_around(const Grid& grid, const std::vector<TargetCell>& cells,
                           std::size_t part) {
  double west = std::numeric_limits<double>::infinity();
  double south = west;
  double east = -west;
  double north = -west;
  for (const TargetCell& cell : cells) {
    if (cell.part != part) continue;
    west = std::min(west, cell.column);
    east = std::max(east, cell.column);
    south = std::min(south, cell.row);
    north = std::max(north, cell.row);
  }
  TargetCircle circle{(west + east) / 2, (south + north) / 2, 0};
  for (const TargetCell& cell : cells) {
    if (cell.part != part) continue;
    circle.radius = std::max(circle.radius, length_between(grid, cell, circle.column, circle.row));
  }
  return circle;
}

// True if the circle is not much larger than its cells: a compact area.
bool is_filled(const Grid& grid, const TargetCircle& circle, std::size_t cells) {
  constexpr double pi = 3.14159265358979;
  constexpr double min_share = 0.5;
  const double radius = circle.radius + std::hypot(grid.dx, grid.dy) / 2;
  return static_cast<double>(cells) * grid.dx * grid.dy >= min_share * pi * radius * radius;
}

TargetDisc from_circles(const std::vector<TargetCircle>& circles) {
  TargetDisc disc;
  disc.circle_count = static_cast<std::int32_t>(circles.size());
  std::copy(circles.begin(), circles.end(), disc.circle);
  return disc;
}

}  // namespace

TargetDisc join_discs(const std::vector<TargetDisc>& discs) {
  TargetDisc joined = discs.front();
  joined.circle_count = static_cast<std::int32_t>(discs.size());
  for (std::size_t n = 1; n < discs.size(); ++n) {
    joined.circle[n] = discs[n].circle[0];
    joined.west = std::min(joined.west, discs[n].west);
    joined.east = std::max(joined.east, discs[n].east);
    joined.south = std::min(joined.south, discs[n].south);
    joined.north = std::max(joined.north, discs[n].north);
  }
  return joined;
}

std::vector<std::uint8_t> place_plane(const Grid& grid, const std::vector<std::int32_t>& cells) {
  std::vector<std::uint8_t> plane(static_cast<std::size_t>(grid.cell_count()), 0);
  for (const std::int32_t cell : cells) plane[static_cast<std::size_t>(cell)] = 1;
  return plane;
}

std::vector<std::int32_t> place_cells(const std::vector<std::uint8_t>& plane) {
  std::vector<std::int32_t> cells;
  for (std::size_t cell = 0; cell < plane.size(); ++cell) {
    if (plane[cell] != 0) cells.push_back(static_cast<std::int32_t>(cell));
  }
  return cells;
}

TargetDisc target_circles(const Grid& grid, const std::vector<std::uint8_t>& target) {
  std::vector<TargetCell> cells;
  for (std::size_t cell = 0; cell < target.size(); ++cell) {
    if (target[cell] == 0) continue;
    const CellIndex index(static_cast<std::int32_t>(cell));
    cells.push_back({double(grid.column(index)), double(grid.first_row + grid.row(index))});
  }
  const TargetCircle whole = circle_around(grid, cells, 0);
  if (is_filled(grid, whole, cells.size())) return from_circles({whole});
  // The cell farthest from all seeds begins the next part (Gonzalez 1985): no circle is more than
  // twice as large as in the best division.
  const std::size_t parts = std::min<std::size_t>(cells.size(), max_target_circles);
  for (std::size_t part = 0; part < parts; ++part) {
    const auto farthest = std::max_element(
        cells.begin(), cells.end(),
        [](const TargetCell& a, const TargetCell& b) { return a.distance < b.distance; });
    begin_part(grid, cells, *farthest, part);
  }
  std::vector<TargetCircle> circles;
  for (std::size_t part = 0; part < parts; ++part) {
    circles.push_back(circle_around(grid, cells, part));
  }
  return from_circles(circles);
}

}  // namespace tidewise
