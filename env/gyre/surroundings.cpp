#include "env/gyre/surroundings.h"

#include <algorithm>
#include <cmath>

namespace tidewise::gyre {
namespace {

constexpr double cloud_width = 0.3;   // [basin sides] eastward distance of a decrease by e
constexpr double cloud_length = 0.8;  // [basin sides] northward distance of a decrease by e

/// The number of the cell edge, 0 … count, that is nearest to a position [basin sides].
int edge(double position, int count) {
  return static_cast<int>(std::lround(std::clamp(position, 0.0, 1.0) * count));
}

/// The side of a square [basin sides] in whole cells, at least one.
int side_in_cells(double side, int count) {
  return std::max(1, static_cast<int>(std::lround(side * count)));
}

}  // namespace

void fill_obstacles(const Surroundings& surroundings, const Grid& grid, TimeLevel k,
                    View<std::uint8_t> masked) {
  std::fill(masked.begin(), masked.end(), std::uint8_t{0});
  const int width = side_in_cells(surroundings.obstacle_side, grid.nx);
  const int height = side_in_cells(surroundings.obstacle_side, grid.ny);
  for (const MovingSquare& square : surroundings.obstacles) {
    const double distance = square.speed * (k.value - square.entry);
    // A square that is farther east than the wall by its width has left the basin. The upper bound
    // of the distance only keeps the number of cells small.
    const int east = static_cast<int>(std::lround(std::clamp(distance, 0.0, 3.0) * grid.nx));
    const int south = edge(square.south, grid.ny);
    for (int j = south; j < std::min(south + height, grid.ny); ++j) {
      for (int i = std::max(east - width, 0); i < std::min(east, grid.nx); ++i) {
        masked[grid.cell(i, j).value] = 1;
      }
    }
  }
}

void fill_radiation(const Surroundings& surroundings, const Grid& grid, TimeLevel k,
                    View<float> radiation) {
  const double centre = surroundings.cloud_centre - surroundings.cloud_speed * k.value;
  for (int j = 0; j < grid.ny; ++j) {
    const double y = ((j + 0.5) / grid.ny - 0.5) / cloud_length;
    for (int i = 0; i < grid.nx; ++i) {
      const double x = ((i + 0.5) / grid.nx - centre) / cloud_width;
      const double cover = surroundings.cloud_dimming * std::exp(-x * x - y * y);
      radiation[grid.cell(i, j).value] = static_cast<float>(surroundings.full_sun * (1 - cover));
    }
  }
}

}  // namespace tidewise::gyre
