// Compares the dynamically orthogonal equations with a direct Monte Carlo simulation of the same
// discretised equations.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/gyre/comparison.h"
#include "bench/gyre/problem.h"

namespace tidewise {
namespace {

// A particle in the strongest flow circles the basin once in this time.
constexpr double duration = 0.1;
constexpr std::size_t member_count = 100;

/// Returns the quantile of χ² for a standard normal value; that for 3.1 is exceeded once in 1000.
/// Wilson and Hilferty 1931.
double chi_square_quantile(std::size_t freedom, double normal) {
  const double ninth = 2.0 / (9.0 * double(freedom));
  return double(freedom) * std::pow(1 - ninth + normal * std::sqrt(ninth), 3);
}

/// A hundred perturbations of a spun-up flow, each of which FlowSolver advances.
class GyreMonteCarlo : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared_ = new Shared; }
  static void TearDownTestSuite() { delete std::exchange(shared_, nullptr); }

  struct Shared {
    GyreProblem problem{32, {40, 1e3, 1e3, 0}, 1, 0.2, 12};
    gyre::VelocityField mean = spun_up_gyre(problem);
    gyre::OrthogonalSolver solver{mean.grid(), problem.numbers};
    gyre::OrthogonalState start = perturbed_gyre(problem, mean, member_count, 1);
    GyreRun same = run_orthogonal(solver, start, duration);
    MonteCarloRun monte_carlo = run_monte_carlo(solver.gyre(), start, same.steps);

    gyre::VelocityField mean_of_members() const {
      gyre::VelocityField sum(mean.grid());
      for (const gyre::VelocityField& member : monte_carlo.members)
        gyre::add(sum, 1.0 / member_count, member);
      return sum;
    }

    /// Returns the mean over the members of the squared distance between a state's realization and
    /// the member's own run.
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

TEST_F(GyreMonteCarlo, AgreesWithinSamplingErrorForIndependentMembers) {
  const GyreRun run = run_orthogonal(
      shared_->solver, perturbed_gyre(shared_->problem, shared_->mean, 5000, 2), duration);
  const SamplingComparison comparison =
      compare(run.state, shared_->monte_carlo.members, Coefficients::independent);
  // |difference|² is a weighted sum of χ² of mean 1; few modes carry most of it.
  EXPECT_LT(comparison.mean, 2);
  EXPECT_LT(std::abs(comparison.variance), 3);
  // Modes with less variance than the truncated part cannot be accurate.
  double mean_squares = 0;
  double variance_squares = 0;
  std::size_t modes = 0;
  for (std::size_t m = 0; m < run.state.mode_count(); ++m) {
    if (comparison.share_along[m] < comparison.variance_outside) continue;
    ++modes;
    // Exceeded once in 2000; there are about twenty such values.
    EXPECT_LT(std::abs(comparison.mean_along[m]), 3.5) << m;
    EXPECT_LT(std::abs(comparison.variance_along[m]), 3.5) << m;
    mean_squares += comparison.mean_along[m] * comparison.mean_along[m];
    variance_squares += comparison.variance_along[m] * comparison.variance_along[m];
  }
  EXPECT_GE(modes, 5u);
  // Too small a difference would mean that its unit is wrong.
  for (const double sum : {mean_squares, variance_squares}) {
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
  // The spread changes the mean by more than the error of the DO equations.
  gyre::VelocityField unperturbed = shared_->mean;
  gyre::VelocityField orthogonal_mean = shared_->same.state.mean;
  for (const double step : shared_->same.steps)
    shared_->solver.gyre().advance(unperturbed, 0, step);
  const gyre::VelocityField truth = shared_->mean_of_members();
  gyre::add(unperturbed, -1, truth);
  gyre::add(orthogonal_mean, -1, truth);
  EXPECT_GT(gyre::inner_product(unperturbed, unperturbed),
            100 * gyre::inner_product(orthogonal_mean, orthogonal_mean));
}

TEST_F(GyreMonteCarlo, ErrorDecreasesWithMoreModes) {
  double last_mean = INFINITY;
  double last_square = INFINITY;
  for (const std::size_t modes : {2u, 4u, 8u, 12u}) {
    // The first modes have the greatest variance.
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
