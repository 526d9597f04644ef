#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "env/gyre/modes/initial_ensemble.h"
#include "env/gyre/modes/random_stream_function.h"
#include "support/error_code.h"
#include "support/ocean/gyre_flows.h"

namespace tidewise::gyre {
namespace {

using test::flow_of;
using test::greatest;

VelocityField gyre(const StaggeredGrid& grid) {
  constexpr double pi = std::numbers::pi;
  return flow_of(grid, [](double x, double y) {
    const double s = std::sin(pi * x);
    return s * s * std::sin(2 * pi * y);
  });
}

double variance(const OrthogonalState& state, std::size_t mode) {
  double sum = 0;
  const double* values = state.coefficients_of(mode);
  for (std::size_t r = 0; r < state.realization_count; ++r) sum += values[r] * values[r];
  return sum / static_cast<double>(state.realization_count);
}

InitialUncertainty few_perturbations() {
  InitialUncertainty uncertainty;
  uncertainty.correlation_length = 0.1;
  uncertainty.relative_deviation = 0.1;
  uncertainty.perturbation_count = 60;
  return uncertainty;
}

class InitialEnsemble : public ::testing::Test {
 protected:
  static const OrthogonalState& state() {
    static const OrthogonalState ensemble =
        make_initial_ensemble(gyre({48, 40}), few_perturbations(), 8, 4000);
    return ensemble;
  }
};

TEST_F(InitialEnsemble, ModesAreOrthonormal) {
  for (std::size_t m = 0; m < 8; ++m) {
    for (std::size_t n = 0; n < 8; ++n) {
      EXPECT_NEAR(inner_product(state().modes[m], state().modes[n]), m == n ? 1 : 0, 1e-13);
    }
  }
}

TEST_F(InitialEnsemble, ModesAreFlowsOfTheBasin) {
  const StaggeredGrid grid = state().mean.grid();
  for (const VelocityField& mode : state().modes) {
    EXPECT_LT(greatest_divergence(mode), 1e-12 * greatest(mode) * (grid.nx + grid.ny));
    for (int j = 0; j < grid.ny; ++j) {
      EXPECT_EQ(mode.u(j, 0), 0);
      EXPECT_EQ(mode.u(j, grid.nx), 0);
      // No slip: half a cell from the wall v is small, growing with the distance.
      EXPECT_LT(std::abs(mode.v(j, 0)), 0.25 * greatest(mode));
    }
    for (int i = 0; i < grid.nx; ++i) {
      EXPECT_EQ(mode.v(0, i), 0);
      EXPECT_EQ(mode.v(grid.ny, i), 0);
    }
  }
}

TEST_F(InitialEnsemble, CoefficientsHaveTheRequestedScale) {
  double total = 0;
  for (std::size_t m = 0; m < 8; ++m) total += variance(state(), m);
  const double requested = 0.1 * greatest_speed(state().mean);
  // Sums of squares of 4000 normals: each variance scatters by √(2/4000) = 2.2 %.
  EXPECT_NEAR(total, requested * requested, 0.05 * requested * requested);
  for (std::size_t m = 0; m + 1 < 8; ++m) {
    EXPECT_GT(variance(state(), m), 0.9 * variance(state(), m + 1));
  }
}

TEST_F(InitialEnsemble, CoefficientsHaveNoMeanAndLittleCorrelation) {
  const double count = static_cast<double>(state().realization_count);
  for (std::size_t m = 0; m < 8; ++m) {
    const double* a = state().coefficients_of(m);
    double mean = 0;
    for (std::size_t r = 0; r < state().realization_count; ++r) mean += a[r] / count;
    EXPECT_NEAR(mean, 0, 1e-14);
    for (std::size_t n = 0; n < m; ++n) {
      const double* b = state().coefficients_of(n);
      double product = 0;
      for (std::size_t r = 0; r < state().realization_count; ++r) product += a[r] * b[r] / count;
      const double correlation = product / std::sqrt(variance(state(), m) * variance(state(), n));
      EXPECT_NEAR(correlation, 0, 5 / std::sqrt(count));
    }
  }
}

TEST(InitialEnsembleVariances, AreTheSingularValues) {
  // Compares the variance of the perturbations' components along each mode with the sample
  // variance of the mode's coefficients. Both are divided by their sums over all modes.
  const StaggeredGrid grid{40, 40};
  const InitialUncertainty uncertainty = few_perturbations();
  const OrthogonalState state = make_initial_ensemble(gyre(grid), uncertainty, 5, 20000);
  const RandomStreamFunction random(uncertainty.correlation_length);
  std::vector<double> component_variance(5, 0.0);
  std::vector<double> mean(5, 0.0);
  for (std::uint32_t n = 0; n < 60; ++n) {
    const VelocityField velocity =
        velocity_of(grid, random.at_corners(grid, random.draw_weights(uncertainty.seed, n)));
    for (std::size_t m = 0; m < 5; ++m) {
      const double value = inner_product(velocity, state.modes[m]);
      component_variance[m] += value * value / 60;
      mean[m] += value / 60;
    }
  }
  double component_total = 0;
  double coefficient_total = 0;
  for (std::size_t m = 0; m < 5; ++m) {
    component_variance[m] -= mean[m] * mean[m];
    component_total += component_variance[m];
    coefficient_total += variance(state, m);
  }
  for (std::size_t m = 0; m < 5; ++m) {
    EXPECT_NEAR(variance(state, m) / coefficient_total, component_variance[m] / component_total,
                5 * 0.01 * component_variance[m] / component_total);
  }
}

TEST(InitialEnsembleGrids, ModesDependOnlyOnTheResolution) {
  const OrthogonalState coarse = make_initial_ensemble(gyre({32, 32}), few_perturbations(), 3, 50);
  const OrthogonalState fine = make_initial_ensemble(gyre({64, 64}), few_perturbations(), 3, 50);
  for (std::size_t m = 0; m < 3; ++m) {
    // Compares the coarse stream function with every other corner of the fine one.
    const std::vector<double> coarse_psi = stream_function_of(coarse.modes[m]);
    const std::vector<double> fine_psi = stream_function_of(fine.modes[m]);
    double product = 0, coarse_square = 0, fine_square = 0;
    for (int j = 0; j <= 32; ++j) {
      for (int i = 0; i <= 32; ++i) {
        const double a = coarse_psi[corner({32, 32}, j, i)];
        const double b = fine_psi[corner({64, 64}, 2 * j, 2 * i)];
        product += a * b;
        coarse_square += a * a;
        fine_square += b * b;
      }
    }
    // The sign may differ if two perturbations contribute almost equally to a mode.
    EXPECT_GT(std::abs(product) / std::sqrt(coarse_square * fine_square), 0.99) << "mode " << m;
    EXPECT_NEAR(std::sqrt(coarse_square / fine_square), 1, 0.05) << "mode " << m;
  }
}

TEST(InitialEnsembleGrids, ModesStayOrthonormalOnGridsFinerThanTheSvd) {
  const OrthogonalState state = make_initial_ensemble(gyre({120, 110}), few_perturbations(), 4, 50);
  EXPECT_EQ(state.modes.front().grid(), (StaggeredGrid{120, 110}));
  for (std::size_t m = 0; m < 4; ++m) {
    for (std::size_t n = 0; n < 4; ++n) {
      EXPECT_NEAR(inner_product(state.modes[m], state.modes[n]), m == n ? 1 : 0, 1e-13);
    }
  }
}

TEST(InitialEnsembleThreads, GiveTheSameBits) {
  const int threads = omp_get_max_threads();
  const auto make = [&](int count) {
    omp_set_num_threads(count);
    const OrthogonalState state = make_initial_ensemble(gyre({24, 24}), few_perturbations(), 4, 30);
    omp_set_num_threads(threads);
    return state;
  };
  const OrthogonalState single_thread = make(1);
  const OrthogonalState two_threads = make(2);
  EXPECT_EQ(single_thread.coefficient, two_threads.coefficient);
  for (std::size_t m = 0; m < 4; ++m)
    EXPECT_EQ(single_thread.modes[m].values(), two_threads.modes[m].values());
}

TEST(InitialEnsembleSeeds, GiveDifferentStates) {
  InitialUncertainty other = few_perturbations();
  other.seed = 2;
  const OrthogonalState seed_1 = make_initial_ensemble(gyre({16, 16}), few_perturbations(), 1, 10);
  const OrthogonalState seed_2 = make_initial_ensemble(gyre({16, 16}), other, 1, 10);
  EXPECT_NE(seed_1.coefficient, seed_2.coefficient);
  EXPECT_NE(seed_1.modes[0].values(), seed_2.modes[0].values());
}

TEST(InitialEnsembleErrors, RefuseMoreModesThanExist) {
  InitialUncertainty uncertainty;
  uncertainty.perturbation_count = 6;
  EXPECT_EQ(make_initial_ensemble(gyre({16, 16}), uncertainty, 5, 10).mode_count(), 5u);
  try {
    make_initial_ensemble(gyre({16, 16}), uncertainty, 6, 10);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("gyre_modes_too_many"));
  }
}

TEST(InitialEnsembleErrors, RefuseInvalidInput) {
  const VelocityField mean = gyre({16, 16});
  InitialUncertainty uncertainty = few_perturbations();
  EXPECT_THROW(make_initial_ensemble(mean, uncertainty, 2, 1), InputError);
  uncertainty.relative_deviation = 0;
  EXPECT_THROW(make_initial_ensemble(mean, uncertainty, 2, 10), InputError);
  uncertainty = few_perturbations();
  uncertainty.perturbation_count = 1;
  EXPECT_THROW(make_initial_ensemble(mean, uncertainty, 1, 10), InputError);
  EXPECT_THROW(make_initial_ensemble(VelocityField({16, 16}), few_perturbations(), 2, 10),
               RunError);
}

TEST(InitialEnsembleErrors, AllowADeterministicFlowWithoutModes) {
  const OrthogonalState state = make_initial_ensemble(gyre({16, 16}), {}, 0, 10);
  EXPECT_EQ(state.mode_count(), 0u);
  EXPECT_TRUE(state.coefficient.empty());
  EXPECT_EQ(state.realization_count, 10u);
}

}  // namespace
}  // namespace tidewise::gyre
