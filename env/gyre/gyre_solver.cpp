#include "env/gyre/gyre_solver.h"

#include <numbers>
#include <vector>

namespace tidewise {

GyreSolver::GyreSolver(const StaggeredGrid& grid, const GyreNumbers& numbers)
    : momentum_(grid, numbers), projection_(grid) {}

VelocityField GyreSolver::tendency(const VelocityField& velocity, double time) const {
  const StaggeredGrid grid = momentum_.grid();
  VelocityField result(grid);
#pragma omp parallel
  {
    std::vector<double> linear(static_cast<std::size_t>(grid.nx + 1));
#pragma omp for schedule(static) nowait
    for (int j = 0; j < grid.ny; ++j) {
      double* out = result.u_row(j);
      momentum_.advection_u(velocity, velocity, j, out);
      momentum_.linear_u(velocity, j, linear.data());
      const double wind = momentum_.wind_u(j);
      for (int i = 1; i < grid.nx; ++i) out[i] += linear[static_cast<std::size_t>(i)] + wind;
    }
#pragma omp for schedule(static)
    for (int j = 1; j < grid.ny; ++j) {
      double* out = result.v_row(j);
      momentum_.advection_v(velocity, velocity, j, out);
      momentum_.linear_v(velocity, j, linear.data());
      for (int i = 0; i < grid.nx; ++i) out[i] += linear[static_cast<std::size_t>(i)];
    }
  }
  if (force_) force_(time, result);
  projection_.project(result);
  return result;
}

void GyreSolver::advance(VelocityField& velocity, double time, double step) const {
  VelocityField stage = velocity;
  add(stage, step, tendency(velocity, time));

  VelocityField slope = tendency(stage, time + step);
  scale(stage, 0.25);
  add(stage, 0.25 * step, slope);
  add(stage, 0.75, velocity);

  slope = tendency(stage, time + 0.5 * step);
  scale(velocity, 1.0 / 3.0);
  add(velocity, 2.0 / 3.0, stage);
  add(velocity, 2.0 / 3.0 * step, slope);
  // The pressure is far greater than the divergence that round-off leaves, which would grow with the
  // steps; a second projection takes it off where it is small.
  projection_.project(velocity);
}

double GyreSolver::stable_step(double courant_rate) const {
  // The scheme's limits are 1.73 for centred advection and 2.51 for the Laplacian, whose spectrum
  // reaches 4 (nx² + ny²) / Re. Their shares of the limit must sum to less than 1.
  const StaggeredGrid grid = momentum_.grid();
  const double viscous =
      4.0 * (double(grid.nx) * grid.nx + double(grid.ny) * grid.ny) / momentum_.numbers().reynolds;
  // No Rossby wave of the square basin is faster than β / 2π.
  const double rossby = momentum_.numbers().beta / (2 * std::numbers::pi);
  return 0.8 / ((courant_rate + rossby) / 1.73 + viscous / 2.51);
}

}  // namespace tidewise
