#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "env/gyre/flow/solver.h"
#include "support/ocean/gyre_flows.h"

namespace tidewise::test {

/// A flow that solves the gyre's equations with a force that is known exactly:
///   ψ = sin²(πx) sin(2πy) (1 + ½ sin 2t) + 8 x² (1 − x)³ sin(πy) cos 3t,
///   p = cos(πx) cos(2πy) sin t.
/// Both terms of ψ satisfy the conditions at the walls (ψ = ψ_x = 0 at x = 0, 1; ψ = ψ_yy = 0 at y
/// = 0, 1); the second is not symmetric from west to east, nor is the sum from south to north.
class ManufacturedGyre {
 public:
  explicit ManufacturedGyre(const gyre::DimensionlessNumbers& numbers) : numbers_(numbers) {}

  gyre::VelocityField velocity(const gyre::StaggeredGrid& grid, double time) const {
    return sampled(
        grid, [&](double x, double y) { return -psi(x, y, time, 0, 1); },
        [&](double x, double y) { return psi(x, y, time, 1, 0); });
  }

  /// Returns the flow without divergence on the grid; its error is of second order in the spacing.
  gyre::VelocityField start(const gyre::StaggeredGrid& grid, double time) const {
    return flow_of(grid, [&](double x, double y) { return psi(x, y, time, 0, 0); });
  }

  /// Returns the force to add to a tendency: ∂u/∂t minus the solver's own terms.
  gyre::FlowSolver::Force force() const {
    return [this](double time, gyre::VelocityField& tendency) {
      gyre::add(tendency, 1.0,
                sampled(
                    tendency.grid(), [&](double x, double y) { return force_u(x, y, time); },
                    [&](double x, double y) { return force_v(x, y, time); }));
    };
  }

 private:
  static constexpr double pi = std::numbers::pi;
  /// A factor of ψ and its derivatives, zeroth to third.
  using Derivatives = std::array<double, 4>;

  static Derivatives sine(double wave, double y) {
    const double s = std::sin(wave * y);
    const double c = std::cos(wave * y);
    return {s, wave * c, -wave * wave * s, -wave * wave * wave * c};
  }
  static Derivatives squared_sine(double x) {
    const double s = std::sin(pi * x);
    return {s * s, pi * std::sin(2 * pi * x), 2 * pi * pi * std::cos(2 * pi * x),
            -4 * pi * pi * pi * std::sin(2 * pi * x)};
  }
  /// x² (1 − x)³ = x² − 3x³ + 3x⁴ − x⁵
  static Derivatives polynomial(double x) {
    return {x * x * (1 - x) * (1 - x) * (1 - x),
            2 * x - 9 * x * x + 12 * x * x * x - 5 * x * x * x * x,
            2 - 18 * x + 36 * x * x - 20 * x * x * x, -18 + 72 * x - 60 * x * x};
  }

  static double combined(double x, double y, std::size_t dx, std::size_t dy, double first,
                         double second) {
    return first * squared_sine(x)[dx] * sine(2 * pi, y)[dy] +
           second * 8 * polynomial(x)[dx] * sine(pi, y)[dy];
  }
  static double psi(double x, double y, double t, std::size_t dx, std::size_t dy) {
    return combined(x, y, dx, dy, 1 + 0.5 * std::sin(2 * t), std::cos(3 * t));
  }
  /// ∂ψ/∂t and its derivatives in x and y
  static double psi_t(double x, double y, double t, std::size_t dx, std::size_t dy) {
    return combined(x, y, dx, dy, std::cos(2 * t), -3 * std::sin(3 * t));
  }

  double force_u(double x, double y, double t) const {
    const auto d = [&](std::size_t dx, std::size_t dy) { return psi(x, y, t, dx, dy); };
    const double u = -d(0, 1);
    const double v = d(1, 0);
    const double pressure = -pi * std::sin(pi * x) * std::cos(2 * pi * y) * std::sin(t);
    const double viscosity = -(d(2, 1) + d(0, 3)) / numbers_.reynolds;
    const double advection = -u * d(1, 1) - v * d(0, 2);
    const double f = numbers_.coriolis + numbers_.beta * y;
    const double wind = -numbers_.wind * std::cos(2 * pi * y) / (2 * pi);
    return -psi_t(x, y, t, 0, 1) + pressure - viscosity + advection - f * v - wind;
  }
  double force_v(double x, double y, double t) const {
    const auto d = [&](std::size_t dx, std::size_t dy) { return psi(x, y, t, dx, dy); };
    const double u = -d(0, 1);
    const double v = d(1, 0);
    const double pressure = -2 * pi * std::cos(pi * x) * std::sin(2 * pi * y) * std::sin(t);
    const double viscosity = (d(3, 0) + d(1, 2)) / numbers_.reynolds;
    const double advection = u * d(2, 0) + v * d(1, 1);
    const double f = numbers_.coriolis + numbers_.beta * y;
    return psi_t(x, y, t, 1, 0) + pressure - viscosity + advection + f * u;
  }

  gyre::DimensionlessNumbers numbers_;
};

}  // namespace tidewise::test
