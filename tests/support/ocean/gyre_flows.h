#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "env/gyre/flow/stream_function.h"

namespace tidewise::test {

/// Random velocities in (−1, 1) on all faces except walls, neither smooth nor free of divergence.
inline gyre::VelocityField random_velocity(const gyre::StaggeredGrid& grid, std::uint64_t seed) {
  const Philox random(seed);
  std::uint32_t count = 0;
  const auto next = [&] { return 2 * to_unit(random(count++, 0).word[0]) - 1; };
  gyre::VelocityField velocity(grid);
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 1; i < grid.nx; ++i) velocity.u(j, i) = next();
  }
  for (int j = 1; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) velocity.v(j, i) = next();
  }
  return velocity;
}

/// A flow of a stream function with random numbers at the corners, 0 on the walls: free of
/// divergence.
inline gyre::VelocityField random_flow(const gyre::StaggeredGrid& grid, std::uint64_t seed) {
  const Philox random(seed);
  std::vector<double> stream_function(grid.corner_count(), 0.0);
  std::uint32_t count = 0;
  for (int j = 1; j < grid.ny; ++j) {
    for (int i = 1; i < grid.nx; ++i) {
      stream_function[gyre::corner(grid, j, i)] =
          (to_unit(random(count++, 1).word[0]) - 0.5) / grid.nx;
    }
  }
  return gyre::velocity_of(grid, stream_function);
}

/// Returns the flow of a stream function ψ(x, y), which is sampled at the corners.
inline gyre::VelocityField flow_of(const gyre::StaggeredGrid& grid,
                                   const std::function<double(double, double)>& psi) {
  std::vector<double> stream_function(grid.corner_count());
  for (int j = 0; j <= grid.ny; ++j) {
    for (int i = 0; i <= grid.nx; ++i) {
      stream_function[gyre::corner(grid, j, i)] = psi(i * grid.dx(), j * grid.dy());
    }
  }
  return gyre::velocity_of(grid, stream_function);
}

/// Samples u(x, y) and v(x, y) on the faces that are not walls.
inline gyre::VelocityField sampled(const gyre::StaggeredGrid& grid,
                                   const std::function<double(double, double)>& u,
                                   const std::function<double(double, double)>& v) {
  gyre::VelocityField velocity(grid);
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 1; i < grid.nx; ++i) velocity.u(j, i) = u(i * grid.dx(), (j + 0.5) * grid.dy());
  }
  for (int j = 1; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) velocity.v(j, i) = v((i + 0.5) * grid.dx(), j * grid.dy());
  }
  return velocity;
}

/// a − b
inline gyre::VelocityField difference(gyre::VelocityField a, const gyre::VelocityField& b) {
  gyre::add(a, -1.0, b);
  return a;
}

/// √⟨a, a⟩, the root mean square over the basin.
inline double norm(const gyre::VelocityField& a) { return std::sqrt(gyre::inner_product(a, a)); }

/// ‖a − b‖ / ‖b‖
inline double relative_distance(const gyre::VelocityField& a, const gyre::VelocityField& b) {
  return norm(difference(a, b)) / norm(b);
}

/// Returns the largest absolute velocity.
inline double greatest(const gyre::VelocityField& a) {
  double value = 0;
  for (const double x : a.values()) value = std::max(value, std::abs(x));
  return value;
}

/// Mirrors a flow at the middle latitude: u(x, 1 − y), −v(x, 1 − y).
inline gyre::VelocityField mirrored(const gyre::VelocityField& a) {
  const gyre::StaggeredGrid grid = a.grid();
  gyre::VelocityField image(grid);
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i <= grid.nx; ++i) image.u(j, i) = a.u(grid.ny - 1 - j, i);
  }
  for (int j = 0; j <= grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) image.v(j, i) = -a.v(grid.ny - j, i);
  }
  return image;
}

}  // namespace tidewise::test
