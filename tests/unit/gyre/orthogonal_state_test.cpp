// Orthonormal modes, rotation to principal axes, and moments of coefficients.

#include "env/gyre/modes/orthogonal_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "env/gyre/modes/coefficient_moments.h"
#include "support/ocean/gyre_states.h"

namespace tidewise::gyre {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

constexpr StaggeredGrid state_grid{12, 16};

void expect_same_realizations(const OrthogonalState& a, const OrthogonalState& b) {
  for (std::size_t r = 0; r < a.realization_count; ++r) {
    EXPECT_LT(test::relative_distance(realization_of(a, r), realization_of(b, r)), 1e-13);
  }
}

TEST(OrthogonalState, OrthonormalisationMatchesAHandCalculation) {
  // u = Y₁ 2a + Y₂ (a + 3b) = (2 Y₁ + Y₂) a + 3 Y₂ b
  const VelocityField a = test::wave(state_grid, 1, 1);
  const VelocityField b = test::wave(state_grid, 1, 2);
  OrthogonalState state{VelocityField(state_grid), {a, a}, {1, -1, 2, -2}, 2};
  scale(state.modes[0], 2);
  add(state.modes[1], 3, b);
  EXPECT_NEAR(orthonormality_error(state), 9, 1e-12);  // |a + 3b|² = 10
  orthonormalise(state);
  EXPECT_LT(orthonormality_error(state), 1e-15);
  EXPECT_LT(test::relative_distance(state.modes[0], a), 1e-14);
  EXPECT_LT(test::relative_distance(state.modes[1], b), 1e-14);
  EXPECT_THAT(state.coefficient, Pointwise(DoubleNear(1e-14), {4., -4., 6., -6.}));
}

TEST(OrthogonalState, KeepsItsRealizationsWhenMadeOrthonormal) {
  const std::vector<VelocityField> waves = test::long_waves(state_grid, 6);
  OrthogonalState state = test::stochastic_state(test::two_gyres(state_grid), 5, 7, 0.5);
  state.modes = test::long_waves(state_grid, 5);
  OrthogonalState orthonormal = state;
  orthonormalise(orthonormal);
  EXPECT_LT(orthonormality_error(orthonormal), 1e-14);
  expect_same_realizations(orthonormal, state);

  // For nearly dependent modes, one round of Cholesky leaves an error of 1e-8.
  state.modes[1] = state.modes[0];
  add(state.modes[1], 1e-4, waves[5]);
  orthonormal = state;
  orthonormalise(orthonormal);
  EXPECT_LT(orthonormality_error(orthonormal), 1e-14);
  expect_same_realizations(orthonormal, state);
}

TEST(OrthogonalState, RefusesDependentModes) {
  const VelocityField a = test::wave(state_grid, 1, 1);
  OrthogonalState state{VelocityField(state_grid), {a, a}, {1, -1, 1, -1}, 2};
  EXPECT_THROW(orthonormalise(state), RunError);
  state.modes[1].u(3, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(orthonormalise(state), RunError);
}

TEST(OrthogonalState, IsDeterministicWithoutModes) {
  OrthogonalState state{test::two_gyres(state_grid), {}, {}, 3};
  orthonormalise(state);
  turn_to_principal_axes(state);
  EXPECT_EQ(orthonormality_error(state), 0);
  EXPECT_EQ(realization_of(state, 2).values(), state.mean.values());
}

TEST(OrthogonalState, PrincipalAxesMatchAHandCalculation) {
  // Coefficients along (1, 1) with variance 8, along (1, −1) with variance 2.
  const VelocityField a = test::wave(state_grid, 1, 1);
  const VelocityField b = test::wave(state_grid, 2, 3);
  const double root = std::sqrt(0.5);
  OrthogonalState state{VelocityField(state_grid),
                        {a, b},
                        {4 * root, -4 * root, 2 * root, -2 * root,  //
                         4 * root, -4 * root, -2 * root, 2 * root},
                        4};
  turn_to_principal_axes(state);
  const CoefficientMoments moments = moments_of(state);
  EXPECT_NEAR(moments.covariance(0, 0), 8, 1e-14);
  EXPECT_NEAR(moments.covariance(1, 1), 2, 1e-14);
  EXPECT_NEAR(moments.covariance(0, 1), 0, 1e-14);
  VelocityField sum = a;
  add(sum, 1, b);
  scale(sum, root);
  // Both halves have equal weights, so the sign is arbitrary.
  EXPECT_NEAR(std::abs(inner_product(state.modes[0], sum)), 1, 1e-14);
}

TEST(OrthogonalState, KeepsItsRealizationsAndSignsOnPrincipalAxes) {
  OrthogonalState state = test::stochastic_state(test::two_gyres(state_grid), 4, 9, 0.5);
  const OrthogonalState before = state;
  turn_to_principal_axes(state);
  expect_same_realizations(state, before);
  EXPECT_LT(orthonormality_error(state), 1e-14);
  const CoefficientMoments moments = moments_of(state);
  for (std::size_t m = 0; m < 4; ++m) {
    for (std::size_t n = 0; n < m; ++n) {
      EXPECT_NEAR(moments.covariance(m, n), 0, 1e-15);
      EXPECT_GE(moments.covariance(n, n), moments.covariance(m, m));
    }
  }
  // A second rotation changes nothing.
  const OrthogonalState principal = state;
  turn_to_principal_axes(state);
  for (std::size_t m = 0; m < 4; ++m) {
    EXPECT_LT(test::relative_distance(state.modes[m], principal.modes[m]), 1e-12);
  }
}

TEST(CoefficientMoments, MatchHandComputedMoments) {
  const VelocityField rest(state_grid);
  const OrthogonalState state{rest, {rest, rest}, {-1, -1, 2, 3, -3, 0}, 3};
  const CoefficientMoments moments = moments_of(state);
  EXPECT_THAT(moments.second, ElementsAre(2, 0, 0, 6));
  // E[aaa] = 2, E[aab] = 0, E[abb] = −6, E[bbb] = 0
  EXPECT_THAT(moments.third, ElementsAre(2, 0, 0, -6, 0, -6, -6, 0));
}

TEST(CoefficientMoments, MatchSumsOverManyRealizations) {
  const OrthogonalState state = test::stochastic_state(VelocityField(state_grid), 3, 1301, 0.5);
  const CoefficientMoments moments = moments_of(state);
  for (std::size_t l = 0; l < 3; ++l) {
    for (std::size_t m = 0; m < 3; ++m) {
      double second = 0;
      for (std::size_t r = 0; r < 1301; ++r) {
        second += state.coefficients_of(l)[r] * state.coefficients_of(m)[r];
      }
      EXPECT_NEAR(moments.covariance(l, m), second / 1301, 1e-15);
      for (std::size_t n = 0; n < 3; ++n) {
        double third = 0;
        for (std::size_t r = 0; r < 1301; ++r) {
          third += state.coefficients_of(l)[r] * state.coefficients_of(m)[r] *
                   state.coefficients_of(n)[r];
        }
        EXPECT_NEAR(moments.skewness(l, m, n), third / 1301, 1e-15);
      }
    }
  }
}

TEST(InverseCovariance, IsTheInverseIfItExists) {
  const CoefficientMoments moments{2, {5, 2, 2, 1}, std::vector<double>(8)};
  EXPECT_THAT(inverse_covariance(moments), Pointwise(DoubleNear(1e-13), {1., -2., -2., 5.}));
}

TEST(InverseCovariance, IsZeroForModesOfLittleVariance) {
  const auto inverted = [](double variance) {
    return inverse_covariance({2, {1, 0, 0, variance}, std::vector<double>(8)})[3];
  };
  const double floor = min_variance_share;
  EXPECT_EQ(inverted(0), 0);
  EXPECT_DOUBLE_EQ(inverted(7 * floor), 1 / (7 * floor));
  EXPECT_NEAR(inverted(1e-3 * floor), 1e-3 / floor, 1e-6 / floor);
  for (double variance = 0; variance < 10 * floor; variance += 0.01 * floor) {
    EXPECT_LT(inverted(variance), 0.64 / floor);
  }
  EXPECT_THAT(inverse_covariance({1, {0}, {0}}), ElementsAre(0));
}

TEST(InverseCovariance, RefusesInfiniteMoments) {
  EXPECT_THROW(inverse_covariance({1, {1}, {std::numeric_limits<double>::infinity()}}), RunError);
}

}  // namespace
}  // namespace tidewise::gyre
