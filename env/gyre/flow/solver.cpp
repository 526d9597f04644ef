#include "env/gyre/flow/solver.h"

#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace tidewise::gyre {
namespace {

/// Number of cells below which threads cost more time than they save.
constexpr std::size_t min_shared_size = 4096;

}  // namespace

FlowSolver::FlowSolver(const StaggeredGrid& grid, const DimensionlessNumbers& numbers)
    : momentum_(grid, numbers), projection_(grid) {}

VelocityField FlowSolver::tendency(const VelocityField& velocity, double time) const {
  VelocityField result(grid());
  momentum_tendency(velocity, time, result);
  projection_.project(result);
  return result;
}

void FlowSolver::momentum_tendency(const VelocityField& velocity, double time,
                                   VelocityField& result) const {
  const StaggeredGrid grid = momentum_.grid();
#pragma omp parallel if (grid.cell_count() >= min_shared_size)
  {
    std::vector<double> linear(static_cast<std::size_t>(grid.nx + 1));
#pragma omp for schedule(static) nowait
    for (int j = 0; j < grid.ny; ++j) {
      double* out = result.u_row(j);
      momentum_.advection_u(velocity, velocity, j, out);
      momentum_.linear_u(velocity, j, linear.data());
      const double wind = momentum_.wind_u(j);
      for (int i = 1; i < grid.nx; ++i) out[i] += linear[i] + wind;
    }
#pragma omp for schedule(static)
    for (int j = 1; j < grid.ny; ++j) {
      double* out = result.v_row(j);
      momentum_.advection_v(velocity, velocity, j, out);
      momentum_.linear_v(velocity, j, linear.data());
      for (int i = 0; i < grid.nx; ++i) out[i] += linear[i];
    }
  }
  if (force_) force_(time, result);
}

void FlowSolver::advance(VelocityField& velocity, double time, double step) const {
  VelocityField stage = velocity;
  VelocityField slope(grid());
  // stage = projection of (1 - share) velocity + share (stage + step · tendency of stage).
  // Projecting velocities, not tendencies, removes at each stage the divergence left by round-off.
  const auto blend = [&](double stage_time, double share) {
    momentum_tendency(stage, stage_time, slope);
    const double* start = velocity.values().data();
    const double* rate = slope.values().data();
    double* value = stage.values().data();
    const std::size_t count = stage.values().size();
#pragma omp parallel for schedule(static) if (count >= 2 * min_shared_size)
    for (std::size_t n = 0; n < count; ++n) {
      value[n] = (1 - share) * start[n] + share * (value[n] + step * rate[n]);
    }
    projection_.project(stage);
  };
  blend(time, 1.0);
  blend(time + step, 0.25);
  blend(time + 0.5 * step, 2.0 / 3.0);
  std::swap(velocity, stage);
}

double FlowSolver::stable_step(double courant_rate) const {
  // The scheme's limits are 1.73 for centred advection and 2.51 for the Laplacian, whose spectrum
  // reaches 4 (nx² + ny²) / Re. Their shares of the limit must sum to less than 1.
  const StaggeredGrid grid = momentum_.grid();
  const double viscous =
      4.0 * (double(grid.nx) * grid.nx + double(grid.ny) * grid.ny) / momentum_.numbers().reynolds;
  // No Rossby wave of the square basin is faster than β / 2π.
  const double rossby = momentum_.numbers().beta / (2 * std::numbers::pi);
  return 0.8 / ((courant_rate + rossby) / 1.73 + viscous / 2.51);
}

}  // namespace tidewise::gyre
