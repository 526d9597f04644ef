#include "env/gyre/flow/stream_function.h"

namespace tidewise::gyre {

VelocityField velocity_of(const StaggeredGrid& grid, const std::vector<double>& stream_function) {
  VelocityField velocity(grid);
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 1; i < grid.nx; ++i) {
      velocity.u(j, i) =
          -(stream_function[corner(grid, j + 1, i)] - stream_function[corner(grid, j, i)]) *
          grid.ny;
    }
  }
  for (int j = 1; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      velocity.v(j, i) =
          (stream_function[corner(grid, j, i + 1)] - stream_function[corner(grid, j, i)]) * grid.nx;
    }
  }
  return velocity;
}

std::vector<double> stream_function_of(const VelocityField& velocity) {
  const StaggeredGrid grid = velocity.grid();
  std::vector<double> stream_function(grid.corner_count(), 0.0);
  for (int j = 0; j + 1 < grid.ny; ++j) {
    for (int i = 1; i < grid.nx; ++i) {
      stream_function[corner(grid, j + 1, i)] =
          stream_function[corner(grid, j, i)] - velocity.u(j, i) * grid.dy();
    }
  }
  return stream_function;
}

}  // namespace tidewise::gyre
