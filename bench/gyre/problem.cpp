#include "bench/gyre/problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "env/gyre/flow/stream_function.h"

namespace tidewise {
namespace {

constexpr double pi = std::numbers::pi;

/// ψ = sin(πx) sin(πy) sin(aπx) sin(bπy): at rest along the walls.
gyre::VelocityField confined_wave(const gyre::StaggeredGrid& grid, int a, int b) {
  std::vector<double> stream_function(grid.corner_count(), 0.0);
  for (int j = 1; j < grid.ny; ++j) {
    for (int i = 1; i < grid.nx; ++i) {
      const double x = pi * i * grid.dx();
      const double y = pi * j * grid.dy();
      stream_function[gyre::corner(grid, j, i)] =
          std::sin(x) * std::sin(y) * std::sin(a * x) * std::sin(b * y);
    }
  }
  return gyre::velocity_of(grid, stream_function);
}

}  // namespace

gyre::VelocityField spun_up_gyre(const GyreProblem& problem) {
  const gyre::StaggeredGrid grid{problem.cells, problem.cells};
  const gyre::FlowSolver solver(grid, problem.numbers);
  gyre::VelocityField velocity = confined_wave(grid, 2, 1);
  gyre::scale(velocity, 0.01);
  for (double time = 0; time < problem.spin_up;) {
    const double step =
        std::min(solver.stable_step(gyre::greatest_courant_rate(velocity)), problem.spin_up - time);
    solver.advance(velocity, time, step);
    // A step below the time's rounding error must end the loop.
    time = time + step > time ? time + step : problem.spin_up;
  }
  return velocity;
}

gyre::OrthogonalState perturbed_gyre(const GyreProblem& problem, const gyre::VelocityField& mean,
                                     std::size_t realizations, std::uint64_t seed) {
  constexpr double ratio = 0.85;
  const auto modes = static_cast<std::size_t>(problem.mode_count);
  gyre::OrthogonalState state{mean, {}, std::vector<double>(modes * realizations), realizations};
  // In order of wave number: (1,1), (1,2), (2,1), (1,3), (2,2), (3,1), …
  for (int sum = 2; state.modes.size() < modes; ++sum) {
    for (int a = 1; a < sum && state.modes.size() < modes; ++a) {
      state.modes.push_back(confined_wave(mean.grid(), a, sum - a));
    }
  }
  gyre::orthonormalise(state);

  double squares = 0;
  for (std::size_t m = 0; m < modes; ++m) squares += std::pow(ratio, 2.0 * double(m));
  double deviation = problem.deviation * std::sqrt(gyre::inner_product(mean, mean) / squares);
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (std::size_t m = 0; m < modes; ++m, deviation *= ratio) {
    double* values = state.coefficients_of(m);
    double sum = 0;
    for (std::size_t r = 0; r < realizations; ++r) sum += values[r] = deviation * normal(engine);
    const double sample_mean = sum / double(realizations);
    for (std::size_t r = 0; r < realizations; ++r) values[r] -= sample_mean;
    gyre::add(state.mean, sample_mean, state.modes[m]);
  }
  return state;
}

}  // namespace tidewise
