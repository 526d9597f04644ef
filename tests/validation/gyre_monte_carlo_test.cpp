// The dynamically orthogonal equations against a direct Monte Carlo of the same discretised ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/gyre/comparison.h"
#include "bench/gyre/problem.h"

namespace tidewise {
namespace {

constexpr double flown_duration =
    0.1;  // a particle of the strongest flow goes round the basin in as long
constexpr std::size_t member_count = 100;

/// The quantile of χ² that corresponds to a standard normal value: exceeded once in 1000 for 3.1.
/// Wilson and Hilferty 1931.
double chi_square_quantile(std::size_t freedom, double normal) {
  const double ninth = 2.0 / (9.0 * double(freedom));
  return double(freedom) * std::pow(1 - ninth + normal * std::sqrt(ninth), 3);
}

/// A hundred flows about a spun-up one, each by FlowSolver.
class GyreMonteCarlo : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared_ = new Shared; }
  static void TearDownTestSuite() { delete std::exchange(shared_, nullptr); }

  struct Shared {
    GyreProblem problem{32, {40, 1e3, 1e3, 0}, 1, 0.2, 12};
    gyre::VelocityField mean = spun_up_gyre(problem);
    gyre::OrthogonalSolver solver{mean.grid(), problem.numbers};
    gyre::OrthogonalState start = perturbed_gyre(problem, mean, member_count, 1);
    GyreRun same = run_orthogonal(solver, start, flown_duration);
    MonteCarloRun monte_carlo = run_monte_carlo(solver.gyre(), start, same.steps);

    gyre::VelocityField mean_of_members() const {
      gyre::VelocityField sum(mean.grid());
      for (const gyre::VelocityField& member : monte_carlo.members)
        gyre::add(sum, 1.0 / member_count, member);
      return sum;
    }

    /// |u − its own run|², expected over the members that a state began as.
    double square_distance(const gyre::OrthogonalState& state) const {
      double squares = 0;
      for (std::size_t r = 0; r < member_count; ++r) {
        gyre::VelocityField difference = gyre::realization_of(state, r);
        gyre::add(difference, -1, monte_carlo.members[r]);
        squares += gyre::inner_product(difference, difference) / member_count;
      }
      return squares;
    }
  };
  static Shared* shared_;
};
GyreMonteCarlo::Shared* GyreMonteCarlo::shared_ = nullptr;

TEST_F(GyreMonteCarlo, OfIndependentMembersAgreesWithinSamplingError) {
  const GyreRun run = run_orthogonal(
      shared_->solver, perturbed_gyre(shared_->problem, shared_->mean, 5000, 2), flown_duration);
  const SamplingComparison comparison =
      compare(run.state, shared_->monte_carlo.members, Coefficients::independent);
  // |difference|² is a weighted sum of χ² of mean 1; few modes carry most of it.
  EXPECT_LT(comparison.mean, 2);
  EXPECT_LT(std::abs(comparison.variance), 3);
  // Modes that carry no more than what is truncated cannot be right about themselves.
  double of_means = 0;
  double of_variances = 0;
  std::size_t modes = 0;
  for (std::size_t m = 0; m < run.state.mode_count(); ++m) {
    if (comparison.share_along[m] < comparison.variance_outside) continue;
    ++modes;
    // Once in 2000, of some twenty.
    EXPECT_LT(std::abs(comparison.mean_along[m]), 3.5) << m;
    EXPECT_LT(std::abs(comparison.variance_along[m]), 3.5) << m;
    of_means += comparison.mean_along[m] * comparison.mean_along[m];
    of_variances += comparison.variance_along[m] * comparison.variance_along[m];
  }
  EXPECT_GE(modes, 5u);
  // Neither too far nor too near: a difference that is too small would mean that the unit is wrong.
  for (const double sum : {of_means, of_variances}) {
    EXPECT_LT(sum, chi_square_quantile(modes, 3.1));
    EXPECT_GT(sum, chi_square_quantile(modes, -3.1));
  }
  EXPECT_LT(comparison.variance_outside, 0.03);
}

TEST_F(GyreMonteCarlo, MeasuresTheEffectOfTruncation) {
  const SamplingComparison comparison =
      compare(shared_->same.state, shared_->monte_carlo.members, Coefficients::same);
  EXPECT_LT(comparison.mean, 0.2);
  EXPECT_LT(std::abs(comparison.variance), 0.5);
  EXPECT_LT(shared_->square_distance(shared_->same.state), 0.1 * comparison.member_variance);
}

TEST_F(GyreMonteCarlo, DiffersFromTheFlowOfTheMean) {
  // The spread moves the mean, by more than the DO equations are off.
  gyre::VelocityField alone = shared_->mean;
  gyre::VelocityField spread = shared_->same.state.mean;
  for (const double step : shared_->same.steps) shared_->solver.gyre().advance(alone, 0, step);
  const gyre::VelocityField truth = shared_->mean_of_members();
  gyre::add(alone, -1, truth);
  gyre::add(spread, -1, truth);
  EXPECT_GT(gyre::inner_product(alone, alone), 100 * gyre::inner_product(spread, spread));
}

TEST_F(GyreMonteCarlo, IsMetBetterByMoreModes) {
  double last_mean = INFINITY;
  double last_square = INFINITY;
  for (const std::size_t modes : {2u, 4u, 8u, 12u}) {
    // The first modes are the greatest.
    gyre::OrthogonalState state = shared_->start;
    state.modes.resize(modes);
    state.coefficient.resize(modes * member_count);
    for (const double step : shared_->same.steps) shared_->solver.advance(state, step);
    gyre::VelocityField difference = state.mean;
    gyre::add(difference, -1, shared_->mean_of_members());
    const double mean = gyre::inner_product(difference, difference);
    const double square = shared_->square_distance(state);
    EXPECT_LT(mean, last_mean) << modes;
    EXPECT_LT(square, last_square) << modes;
    last_mean = mean;
    last_square = square;
  }
}

}  // namespace
}  // namespace tidewise
