#include "env/gyre/scaling.h"

#include <algorithm>

namespace tidewise::gyre {
namespace {

/// Copies (u, v) of the staggered grid, times `factor`, to u and v of cells.
void to_centres(const VelocityField& velocity, double factor, float* u, float* v) {
  const StaggeredGrid& grid = velocity.grid();
#pragma omp parallel for schedule(static)
  for (int j = 0; j < grid.ny; ++j) {
    const double* along = velocity.u_row(j);
    const double* south = velocity.v_row(j);
    const double* north = velocity.v_row(j + 1);
    const std::size_t row = static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.nx);
    for (int i = 0; i < grid.nx; ++i) {
      const std::size_t cell = row + static_cast<std::size_t>(i);
      u[cell] = static_cast<float>(factor * 0.5 * (along[i] + along[i + 1]));
      v[cell] = static_cast<float>(factor * 0.5 * (south[i] + north[i]));
    }
  }
}

}  // namespace

void fill_velocity(const OrthogonalState& state, double velocity_scale, LevelFields<>& fields) {
  to_centres(state.mean, velocity_scale, fields.u_mean.data(), fields.v_mean.data());
  const std::size_t cells = fields.u_mean.size();
  for (std::size_t m = 0; m < state.mode_count(); ++m) {
    to_centres(state.modes[m], 1, fields.u_mode.data() + m * cells,
               fields.v_mode.data() + m * cells);
  }
  std::transform(state.coefficient.begin(), state.coefficient.end(), fields.coefficient.begin(),
                 [=](double c) { return static_cast<float>(velocity_scale * c); });
  std::fill(fields.dry.begin(), fields.dry.end(), std::uint8_t{0});
}

}  // namespace tidewise::gyre
