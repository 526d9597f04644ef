
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/gyre/flow/spin_up.h"
#include "env/gyre/flow/stream_function.h"

namespace tidewise::gyre {
namespace {

/// Four neighbouring corners of an axis and their weights.
struct Stencil {
  int first = 0;
  std::array<double, 4> weight{};
};

/// Cubic Lagrange interpolation from an axis of `from` cells to each corner of one of `to` cells.
std::vector<Stencil> cubic_stencils(int from, int to) {
  std::vector<Stencil> stencils;
  for (int corner = 0; corner <= to; ++corner) {
    const double position = static_cast<double>(corner) * from / to;
    Stencil stencil;
    stencil.first = std::clamp(static_cast<int>(position) - 1, 0, from - 3);
    const double s = position - stencil.first;
    stencil.weight = {-(s - 1) * (s - 2) * (s - 3) / 6, s * (s - 2) * (s - 3) / 2,
                      -s * (s - 1) * (s - 3) / 2, s * (s - 1) * (s - 2) / 6};
    stencils.push_back(stencil);
  }
  return stencils;
}

}  // namespace

VelocityField regridded(const VelocityField& velocity, const StaggeredGrid& grid) {
  const StaggeredGrid from = velocity.grid();
  if (from.nx < 3 || from.ny < 3) {
    throw input_error(errors::gyre_regrid_too_small, from.nx, from.ny);
  }
  const std::vector<double> stream_function = stream_function_of(velocity);
  const std::vector<Stencil> along = cubic_stencils(from.nx, grid.nx);
  const std::vector<Stencil> across = cubic_stencils(from.ny, grid.ny);

  std::vector<double> result(grid.corner_count(), 0.0);  // 0 on the walls
  std::vector<double> row(static_cast<std::size_t>(from.nx + 1));
  for (int j = 1; j < grid.ny; ++j) {
    const Stencil& south_north = across[j];
    std::fill(row.begin(), row.end(), 0.0);
    for (int n = 0; n < 4; ++n) {
      const double* values = stream_function.data() + corner(from, south_north.first + n, 0);
      const double weight = south_north.weight[n];
      for (std::size_t i = 0; i < row.size(); ++i) row[i] += weight * values[i];
    }
    for (int i = 1; i < grid.nx; ++i) {
      const Stencil& west_east = along[i];
      const double* values = row.data() + west_east.first;
      double value = 0;
      for (std::size_t n = 0; n < 4; ++n) value += west_east.weight[n] * values[n];
      result[corner(grid, j, i)] = value;
    }
  }
  return velocity_of(grid, result);
}

}  // namespace tidewise::gyre
