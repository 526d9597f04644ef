#include "env/gyre/flow/velocity_field.h"

#include <algorithm>
#include <cmath>

namespace tidewise::gyre {

double inner_product(const VelocityField& a, const VelocityField& b) {
  // Eight partial sums in a fixed order: the compiler may use vectors, the result stays the same.
  const double* x = a.values().data();
  const double* y = b.values().data();
  const std::size_t count = a.values().size();
  constexpr std::size_t lanes = 8;
  double partial[lanes] = {};
  std::size_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) partial[lane] += x[n + lane] * y[n + lane];
  }
  double sum = 0;
  for (; n < count; ++n) sum += x[n] * y[n];
  for (const double part : partial) sum += part;
  return sum * a.grid().cell_area();
}

void add(VelocityField& y, double factor, const VelocityField& x) {
  double* to = y.values().data();
  const double* from = x.values().data();
  const std::size_t count = y.values().size();
  for (std::size_t n = 0; n < count; ++n) to[n] += factor * from[n];
}

void scale(VelocityField& y, double factor) {
  for (double& value : y.values()) value *= factor;
}

double greatest_divergence(const VelocityField& velocity) {
  const StaggeredGrid grid = velocity.grid();
  double max = 0;
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      const double divergence = (velocity.u(j, i + 1) - velocity.u(j, i)) * grid.nx +
                                (velocity.v(j + 1, i) - velocity.v(j, i)) * grid.ny;
      max = std::max(max, std::abs(divergence));
    }
  }
  return max;
}

double greatest_speed(const VelocityField& velocity) {
  const StaggeredGrid grid = velocity.grid();
  double max = 0;  // greatest square
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      const double u = 0.5 * (velocity.u(j, i) + velocity.u(j, i + 1));
      const double v = 0.5 * (velocity.v(j, i) + velocity.v(j + 1, i));
      max = std::max(max, u * u + v * v);
    }
  }
  return std::sqrt(max);
}

double greatest_courant_rate(const VelocityField& velocity) {
  const StaggeredGrid grid = velocity.grid();
  double max = 0;
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      const double u = std::max(std::abs(velocity.u(j, i)), std::abs(velocity.u(j, i + 1)));
      const double v = std::max(std::abs(velocity.v(j, i)), std::abs(velocity.v(j + 1, i)));
      max = std::max(max, u * grid.nx + v * grid.ny);
    }
  }
  return max;
}

}  // namespace tidewise::gyre
