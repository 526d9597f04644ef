#include "env/gyre/flow/momentum_rows.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace tidewise::gyre {
namespace {

/// Momentum fluxes through the west and east sides of a row's control volumes.
std::vector<double>& side_fluxes(int count) {
  thread_local std::vector<double> fluxes;
  fluxes.resize(static_cast<std::size_t>(count));
  return fluxes;
}

}  // namespace

MomentumRows::MomentumRows(const StaggeredGrid& grid, const DimensionlessNumbers& numbers)
    : grid_(grid), numbers_(numbers) {}

double MomentumRows::wind_u(int j) const {
  const double y = (j + 0.5) * grid_.dy();
  return -numbers_.wind * std::cos(2 * std::numbers::pi * y) / (2 * std::numbers::pi);
}

void MomentumRows::linear_u(const VelocityField& a, int j, double* out) const {
  const int nx = grid_.nx;
  const double* row = a.u_row(j);
  // Free slip: the row beyond the wall mirrors this row.
  const double* south = j > 0 ? a.u_row(j - 1) : row;
  const double* north = j + 1 < grid_.ny ? a.u_row(j + 1) : row;
  const double* v_south = a.v_row(j);
  const double* v_north = a.v_row(j + 1);
  const double along = double(nx) * nx / numbers_.reynolds;
  const double across = double(grid_.ny) * grid_.ny / numbers_.reynolds;
  const double f = numbers_.coriolis + numbers_.beta * (j + 0.5) * grid_.dy();
  out[0] = 0;
  out[nx] = 0;
  for (int i = 1; i < nx; ++i) {
    const double viscosity = along * (row[i + 1] - 2 * row[i] + row[i - 1]) +
                             across * (north[i] - 2 * row[i] + south[i]);
    const double v = 0.25 * (v_south[i - 1] + v_south[i] + v_north[i - 1] + v_north[i]);
    out[i] = viscosity + f * v;
  }
}

void MomentumRows::linear_v(const VelocityField& a, int j, double* out) const {
  const int nx = grid_.nx;
  const double* row = a.v_row(j);
  const double* south = a.v_row(j - 1);
  const double* north = a.v_row(j + 1);
  const double* u_south = a.u_row(j - 1);
  const double* u_north = a.u_row(j);
  const double along = double(nx) * nx / numbers_.reynolds;
  const double across = double(grid_.ny) * grid_.ny / numbers_.reynolds;
  const double f_south = numbers_.coriolis + numbers_.beta * (j - 0.5) * grid_.dy();
  const double f_north = numbers_.coriolis + numbers_.beta * (j + 0.5) * grid_.dy();
  const auto value = [&](int i, double west, double east) {
    const double viscosity =
        along * (east - 2 * row[i] + west) + across * (north[i] - 2 * row[i] + south[i]);
    return viscosity - 0.25 * (f_south * (u_south[i] + u_south[i + 1]) +
                               f_north * (u_north[i] + u_north[i + 1]));
  };
  // No slip: the value beyond the wall is the negative, so that the value at the wall is 0.
  out[0] = value(0, -row[0], row[1]);
  for (int i = 1; i + 1 < nx; ++i) out[i] = value(i, row[i - 1], row[i + 1]);
  out[nx - 1] = value(nx - 1, row[nx - 2], -row[nx - 1]);
}

void MomentumRows::advection_u(const VelocityField& a, const VelocityField& b, int j,
                               double* out) const {
  const int nx = grid_.nx;
  const int ny = grid_.ny;
  const double* au = a.u_row(j);
  const double* bu = b.u_row(j);
  std::vector<double>& centre = side_fluxes(nx);
  for (int i = 0; i < nx; ++i) centre[i] = (au[i] + au[i + 1]) * (bu[i] + bu[i + 1]);

  // No flux crosses the walls, so values read beyond them have no effect.
  const double* au_south = j > 0 ? a.u_row(j - 1) : au;
  const double* bu_south = j > 0 ? b.u_row(j - 1) : bu;
  const double* au_north = j + 1 < ny ? a.u_row(j + 1) : au;
  const double* bu_north = j + 1 < ny ? b.u_row(j + 1) : bu;
  const double* av_south = a.v_row(j);
  const double* bv_south = b.v_row(j);
  const double* av_north = a.v_row(j + 1);
  const double* bv_north = b.v_row(j + 1);
  const double along = 0.25 * nx;    // product of two averages of two values
  const double across = 0.125 * ny;  // the same, averaged over both orders of a and b
  out[0] = 0;
  out[nx] = 0;
  for (int i = 1; i < nx; ++i) {
    const double north = (av_north[i - 1] + av_north[i]) * (bu[i] + bu_north[i]) +
                         (bv_north[i - 1] + bv_north[i]) * (au[i] + au_north[i]);
    const double south = (av_south[i - 1] + av_south[i]) * (bu[i] + bu_south[i]) +
                         (bv_south[i - 1] + bv_south[i]) * (au[i] + au_south[i]);
    out[i] = -along * (centre[i] - centre[std::size_t(i) - 1]) - across * (north - south);
  }
}

void MomentumRows::advection_v(const VelocityField& a, const VelocityField& b, int j,
                               double* out) const {
  const int nx = grid_.nx;
  const double* av = a.v_row(j);
  const double* bv = b.v_row(j);
  const double* av_south = a.v_row(j - 1);
  const double* bv_south = b.v_row(j - 1);
  const double* av_north = a.v_row(j + 1);
  const double* bv_north = b.v_row(j + 1);
  const double* au_south = a.u_row(j - 1);
  const double* bu_south = b.u_row(j - 1);
  const double* au_north = a.u_row(j);
  const double* bu_north = b.u_row(j);
  std::vector<double>& side = side_fluxes(nx + 1);
  side[0] = 0;
  side[nx] = 0;
  for (int i = 1; i < nx; ++i) {
    side[i] = (au_south[i] + au_north[i]) * (bv[i - 1] + bv[i]) +
              (bu_south[i] + bu_north[i]) * (av[i - 1] + av[i]);
  }
  const double along = 0.125 * nx;
  const double across = 0.25 * grid_.ny;
  for (int i = 0; i < nx; ++i) {
    const double north = (av[i] + av_north[i]) * (bv[i] + bv_north[i]);
    const double south = (av_south[i] + av[i]) * (bv_south[i] + bv[i]);
    out[i] = -along * (side[i + 1] - side[i]) - across * (north - south);
  }
}

double kinetic_energy(const VelocityField& a) { return 0.5 * inner_product(a, a); }

double dissipation(const MomentumRows& momentum, const VelocityField& a, const VelocityField& b) {
  // Without Coriolis, and at Re = 1, the linear terms are the Laplacian.
  const StaggeredGrid grid = momentum.grid();
  const MomentumRows laplacian(grid, {1.0, 0.0, 0.0, 0.0});
  std::vector<double> row(static_cast<std::size_t>(grid.nx + 1));
  double sum = 0;
  for (int j = 0; j < grid.ny; ++j) {
    laplacian.linear_u(b, j, row.data());
    const double* values = a.u_row(j);
    for (int i = 0; i <= grid.nx; ++i) sum -= values[i] * row[i];
  }
  for (int j = 1; j < grid.ny; ++j) {
    laplacian.linear_v(b, j, row.data());
    const double* values = a.v_row(j);
    for (int i = 0; i < grid.nx; ++i) sum -= values[i] * row[i];
  }
  return sum * grid.cell_area();
}

double wind_work(const MomentumRows& momentum, const VelocityField& a) {
  const StaggeredGrid grid = momentum.grid();
  double sum = 0;
  for (int j = 0; j < grid.ny; ++j) {
    double row = 0;
    const double* values = a.u_row(j);
    for (int i = 1; i < grid.nx; ++i) row += values[i];
    sum += row * momentum.wind_u(j);
  }
  return sum * grid.cell_area();
}

}  // namespace tidewise::gyre
