// Runs of the dynamically orthogonal equations: invariants at every step, and the order of
// convergence.

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "env/gyre/modes/coefficient_moments.h"
#include "env/gyre/modes/orthogonal_solver.h"
#include "support/ocean/gyre_states.h"

namespace tidewise::gyre {
namespace {

constexpr StaggeredGrid run_grid{16, 12};
constexpr DimensionlessNumbers run_numbers{40, 50, 30, 0};

OrthogonalState advanced(const OrthogonalSolver& solver, OrthogonalState state, double duration,
                         int steps) {
  for (int n = 0; n < steps; ++n) solver.advance(state, duration / steps);
  return state;
}

/// Returns the root mean square over the realizations of |a − b|.
double distance(const OrthogonalState& a, const OrthogonalState& b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.realization_count; ++r) {
    VelocityField difference = realization_of(a, r);
    add(difference, -1, realization_of(b, r));
    sum += inner_product(difference, difference);
  }
  return std::sqrt(sum / double(a.realization_count));
}

class OrthogonalRun : public testing::Test {
 protected:
  const OrthogonalSolver solver_{run_grid, run_numbers};
  const OrthogonalState start_ = test::stochastic_state(test::two_gyres(run_grid), 4, 60, 0.6);
};

TEST_F(OrthogonalRun, KeepsModesOrthonormalMeansAndDivergenceAtEveryStep) {
  OrthogonalState state = start_;
  for (int n = 0; n < 60; ++n) {
    solver_.advance(state, solver_.stable_step(state));
    ASSERT_LT(orthonormality_error(state), 1e-14) << n;
    ASSERT_LT(greatest_divergence(state.mean), 1e-13 * greatest_courant_rate(state.mean));
    for (std::size_t m = 0; m < state.mode_count(); ++m) {
      const VelocityField& mode = state.modes[m];
      ASSERT_LT(greatest_divergence(mode), 1e-13 * greatest_courant_rate(mode)) << n;
      double mean = 0;
      for (std::size_t r = 0; r < 60; ++r) mean += state.coefficients_of(m)[r] / 60;
      ASSERT_NEAR(mean, 0, 1e-15);
    }
  }
  // The state has changed.
  EXPECT_GT(distance(state, start_), 0.3);
}

TEST_F(OrthogonalRun, IsOfThirdOrderInTheStep) {
  const OrthogonalState coarse = advanced(solver_, start_, 0.1, 16);
  const OrthogonalState middle = advanced(solver_, start_, 0.1, 32);
  const OrthogonalState fine = advanced(solver_, start_, 0.1, 64);
  const double first = distance(coarse, middle);
  const double second = distance(middle, fine);
  EXPECT_NEAR(std::log2(first / second), 3, 0.3);
  EXPECT_LT(second, 1e-4);
}

TEST_F(OrthogonalRun, ClosesTheEnergyBudgetToThirdOrder) {
  const auto residual = [&](int steps) {
    const double step = 0.1 / steps;
    OrthogonalState state = start_;
    const auto energy = [](const EnergyBudget& budget) { return budget.mean + budget.variance; };
    EnergyBudget budget = solver_.energy_budget(state);
    const double before = energy(budget);
    double gain = budget.work - budget.dissipation;
    for (int n = 1; n <= steps; ++n) {
      solver_.advance(state, step);
      budget = solver_.energy_budget(state);
      const double simpson = n == steps ? 1 : n % 2 == 1 ? 4 : 2;
      gain += simpson * (budget.work - budget.dissipation);
    }
    return std::abs(energy(budget) - before - gain * step / 3);
  };
  const double coarse = residual(16);
  const double fine = residual(32);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 3, 0.5);
}

/// The errors in mean and variance of a run without the last mode, compared with the whole run.
struct TruncationError {
  double mean;
  double variance;
  double last_variance;  ///< the whole run's smallest principal variance at the end
};

/// Returns a state whose realizations form pairs that differ only in the sign of the last
/// coefficient, so that the last mode is independent of the others.
OrthogonalState with_last_mode(double deviation, double last_deviation) {
  OrthogonalState state = test::stochastic_state(test::two_gyres(run_grid), 4, 60, deviation);
  for (std::size_t r = 0; r < 60; r += 2) {
    for (std::size_t m = 0; m < 3; ++m) {
      state.coefficients_of(m)[r + 1] = state.coefficients_of(m)[r];
    }
    state.coefficients_of(3)[r] = last_deviation * (r % 4 == 0 ? 1.2 : std::sqrt(2 - 1.44));
    state.coefficients_of(3)[r + 1] = -state.coefficients_of(3)[r];
  }
  test::centre_coefficients(state);
  return state;
}

TruncationError truncation_error(const OrthogonalSolver& solver, double deviation,
                                 double last_deviation) {
  const OrthogonalState all = with_last_mode(deviation, last_deviation);
  OrthogonalState fewer = all;
  fewer.modes.pop_back();
  fewer.coefficient.resize(std::size_t{3} * 60);
  // Initially only the variance of the last mode is missing.
  EXPECT_NEAR(2 * (solver.energy_budget(all).variance - solver.energy_budget(fewer).variance),
              last_deviation * last_deviation, 1e-13);

  OrthogonalState all_later = advanced(solver, all, 0.1, 32);
  const OrthogonalState fewer_later = advanced(solver, fewer, 0.1, 32);
  VelocityField mean = all_later.mean;
  add(mean, -1, fewer_later.mean);
  VelocityField variance = test::variance_of(all_later);
  add(variance, -1, test::variance_of(fewer_later));
  turn_to_principal_axes(all_later);
  const double last = moments_of(all_later).covariance(3, 3);
  return {test::norm(mean), test::norm(variance), last};
}

TEST_F(OrthogonalRun, ErrorWithoutTheLastModeEqualsItsContribution) {
  for (const double last_deviation : {0.3, 0.15, 0.05}) {
    const TruncationError error = truncation_error(solver_, 0.6, last_deviation);
    const double contribution = last_deviation * last_deviation + error.last_variance;
    EXPECT_LT(error.mean, contribution) << last_deviation;
    EXPECT_LT(error.variance, contribution) << last_deviation;
  }
}

TEST_F(OrthogonalRun, ErrorWithoutTheLastModeScalesWithItsVariance) {
  // The perturbations are so small that the other modes add nothing to the last one.
  const TruncationError full = truncation_error(solver_, 0.01, 0.008);
  const TruncationError half = truncation_error(solver_, 0.01, 0.004);
  const TruncationError quarter = truncation_error(solver_, 0.01, 0.002);
  EXPECT_NEAR(full.mean / half.mean, 4, 0.1);
  EXPECT_NEAR(half.mean / quarter.mean, 4, 0.1);
  EXPECT_NEAR(full.variance / half.variance, 4, 0.1);
  EXPECT_NEAR(half.variance / quarter.variance, 4, 0.1);
}

/// Expects that runs from `start` with one thread and with several end with the same bits.
void expect_same_for_any_thread_count(const OrthogonalState& start) {
  const OrthogonalSolver solver(start.mean.grid(), run_numbers);
  const int before = omp_get_max_threads();
  const auto run = [&](int threads) {
    omp_set_num_threads(threads);
    OrthogonalState state = start;
    for (int n = 0; n < 2; ++n) solver.advance(state, solver.stable_step(state));
    turn_to_principal_axes(state);
    omp_set_num_threads(before);
    return state;
  };
  const OrthogonalState expected = run(1);
  for (const int threads : {2, 5}) {
    const OrthogonalState other = run(threads);
    ASSERT_EQ(expected.mean.values(), other.mean.values());
    ASSERT_EQ(expected.coefficient, other.coefficient);
    for (std::size_t m = 0; m < start.mode_count(); ++m) {
      ASSERT_EQ(expected.modes[m].values(), other.modes[m].values());
    }
  }
}

TEST(OrthogonalThreads, GiveTheSameBitsWhenTheyShareAllWork) {
  // Each kind of work exceeds small_work, so that threads share it.
  const StaggeredGrid larger{84, 84};
  expect_same_for_any_thread_count(test::stochastic_state(test::two_gyres(larger), 12, 700, 0.6));
}

TEST(OrthogonalThreads, GiveTheSameBitsForManyModes) {
  // Matrix products are so large that Eigen would divide them among its own threads.
  const StaggeredGrid small{24, 20};
  OrthogonalState state{test::two_gyres(small), {}, {}, 60};
  for (int a = 1; a <= 8; ++a) {
    for (int b = 1; b <= 5; ++b) state.modes.push_back(test::wave(small, a, b));
  }
  for (std::size_t n = 0; n < 40 * 60; ++n) {
    state.coefficient.push_back(0.1 * std::sin(double(n * n)));
  }
  test::centre_coefficients(state);
  orthonormalise(state);
  expect_same_for_any_thread_count(state);
}

}  // namespace
}  // namespace tidewise::gyre
