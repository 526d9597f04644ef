#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "env/gyre/flow/stream_function.h"
#include "env/gyre/modes/orthogonal_state.h"
#include "support/ocean/gyre_flows.h"

namespace tidewise::test {

/// A smooth flow within the basin: ψ = sin(aπx) sin(bπy), of norm 1.
inline gyre::VelocityField wave(const gyre::StaggeredGrid& grid, int a, int b) {
  std::vector<double> stream_function(grid.corner_count(), 0.0);
  for (int j = 1; j < grid.ny; ++j) {
    for (int i = 1; i < grid.nx; ++i) {
      stream_function[gyre::corner(grid, j, i)] = std::sin(a * std::numbers::pi * i * grid.dx()) *
                                                  std::sin(b * std::numbers::pi * j * grid.dy());
    }
  }
  gyre::VelocityField velocity = gyre::velocity_of(grid, stream_function);
  gyre::scale(velocity, 1 / std::sqrt(gyre::inner_product(velocity, velocity)));
  return velocity;
}

/// Returns the `count` ≤ 12 longest waves in the order of their length. Each includes 0.3 of the
/// next wave, so that no product vanishes by symmetry. Not orthonormal.
inline std::vector<gyre::VelocityField> long_waves(const gyre::StaggeredGrid& grid,
                                                   std::size_t count) {
  const std::vector<std::pair<int, int>> numbers{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 3},
                                                 {3, 1}, {2, 3}, {3, 2}, {1, 4}, {3, 3},
                                                 {4, 1}, {2, 4}, {4, 2}};
  std::vector<gyre::VelocityField> waves;
  for (std::size_t m = 0; m < count; ++m) {
    waves.push_back(wave(grid, numbers[m].first, numbers[m].second));
    gyre::add(waves.back(), 0.3, wave(grid, numbers[m + 1].first, numbers[m + 1].second));
  }
  return waves;
}

/// Subtracts from each mode's coefficients their mean over the realizations.
inline void centre_coefficients(gyre::OrthogonalState& state) {
  for (std::size_t m = 0; m < state.mode_count(); ++m) {
    double* values = state.coefficients_of(m);
    double mean = 0;
    for (std::size_t r = 0; r < state.realization_count; ++r) mean += values[r];
    mean /= double(state.realization_count);
    for (std::size_t r = 0; r < state.realization_count; ++r) values[r] -= mean;
  }
}

/// Returns `mean` with orthonormal long waves and skew coefficients. Each mode's deviation is 0.8
/// times that of the mode before.
inline gyre::OrthogonalState stochastic_state(const gyre::VelocityField& mean, std::size_t modes,
                                              std::size_t realizations, double deviation,
                                              unsigned seed = 1) {
  gyre::OrthogonalState state{mean, long_waves(mean.grid(), modes),
                              std::vector<double>(modes * realizations), realizations};
  gyre::orthonormalise(state);
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t r = 0; r < realizations; ++r) {
      const double value = normal(engine);
      state.coefficients_of(m)[r] = deviation * (value + 0.3 * (value * value - 1));
    }
    deviation *= 0.8;
  }
  centre_coefficients(state);
  return state;
}

/// Two gyres and an eddy that breaks their symmetry.
inline gyre::VelocityField two_gyres(const gyre::StaggeredGrid& grid, double strength = 2) {
  gyre::VelocityField velocity = wave(grid, 1, 2);
  gyre::add(velocity, 0.3, wave(grid, 2, 1));
  gyre::scale(velocity, strength);
  return velocity;
}

/// Returns the tendency of one realization, from the tendency of its state.
inline gyre::VelocityField tendency_of(const gyre::OrthogonalState& state,
                                       const gyre::OrthogonalState& tendency,
                                       std::size_t realization) {
  gyre::VelocityField sum = tendency.mean;
  for (std::size_t m = 0; m < state.mode_count(); ++m) {
    gyre::add(sum, tendency.coefficients_of(m)[realization], state.modes[m]);
    gyre::add(sum, state.coefficients_of(m)[realization], tendency.modes[m]);
  }
  return sum;
}

/// Variance over the realizations at each face, as a field.
inline gyre::VelocityField variance_of(const gyre::OrthogonalState& state) {
  gyre::VelocityField variance(state.mean.grid());
  for (std::size_t r = 0; r < state.realization_count; ++r) {
    gyre::VelocityField deviation = gyre::realization_of(state, r);
    gyre::add(deviation, -1, state.mean);
    for (std::size_t n = 0; n < variance.values().size(); ++n) {
      variance.values()[n] += deviation.values()[n] * deviation.values()[n];
    }
  }
  gyre::scale(variance, 1 / double(state.realization_count));
  return variance;
}

}  // namespace tidewise::test
