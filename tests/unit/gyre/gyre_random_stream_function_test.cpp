// The random stream functions of the gyre's initial perturbations: their covariance and their
// values at the walls.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/standard_normal.h"
#include "env/gyre/flow/stream_function.h"
#include "env/gyre/modes/random_stream_function.h"

namespace tidewise::gyre {
namespace {

TEST(StandardNormal, HasNormalMoments) {
  const Philox random(3);
  constexpr std::uint32_t count = 100000;
  double first = 0, second = 0, third = 0, fourth = 0;
  for (std::uint32_t n = 0; n < count; ++n) {
    const double x = standard_normal(random, n, 5, 1);
    first += x / count;
    second += x * x / count;
    third += x * x * x / count;
    fourth += x * x * x * x / count;
  }
  // Four standard errors each.
  EXPECT_NEAR(first, 0, 4 * std::sqrt(1.0 / count));
  EXPECT_NEAR(second, 1, 4 * std::sqrt(2.0 / count));
  EXPECT_NEAR(third, 0, 4 * std::sqrt(15.0 / count));
  EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96.0 / count));
}

TEST(RandomStreamFunction, HasTheCovarianceAwayFromTheWalls) {
  const double length = 0.1;
  const RandomStreamFunction random(length);
  const StaggeredGrid grid{20, 20};
  constexpr std::uint32_t draws = 4000;
  const std::size_t centre = corner(grid, 10, 10);
  double same = 0, east = 0, north = 0, far = 0;
  for (std::uint32_t n = 0; n < draws; ++n) {
    const std::vector<double> psi = random.at_corners(grid, random.draw_weights(1, n));
    same += psi[centre] * psi[centre] / draws;
    east += psi[centre] * psi[corner(grid, 10, 12)] / draws;
    north += psi[centre] * psi[corner(grid, 12, 10)] / draws;
    far += psi[centre] * psi[corner(grid, 13, 13)] / draws;
  }
  // Four standard errors, √((1 + c²) / draws) of a covariance c.
  const double error = 4 * std::sqrt(2.0 / draws);
  EXPECT_NEAR(same, 1, error);
  EXPECT_NEAR(east, std::exp(-0.5), error);
  EXPECT_NEAR(north, std::exp(-0.5), error);
  EXPECT_NEAR(far, std::exp(-0.5 * (2 * 0.15 * 0.15) / (length * length)), error);
}

TEST(RandomStreamFunction, SatisfiesTheWallsConditions) {
  const RandomStreamFunction random(0.1);
  const std::vector<double> weights = random.draw_weights(1, 0);
  const int n = 1000;
  const StaggeredGrid fine{n, n};
  const std::vector<double> psi = random.at_corners(fine, weights);
  const auto at = [&](int j, int i) { return psi[corner(fine, j, i)]; };
  const double scale = *std::max_element(psi.begin(), psi.end());
  for (int k = 0; k <= n; ++k) {
    EXPECT_EQ(at(k, 0), 0);
    EXPECT_EQ(at(k, n), 0);
    EXPECT_EQ(at(0, k), 0);
    EXPECT_EQ(at(n, k), 0);
    // ψ ~ x² near the wall: below (dx/length)² of its size inside, so that ψ_x is 0.
    EXPECT_LT(std::abs(at(k, 1)), 1e-4 * 3 * scale);
    EXPECT_LT(std::abs(at(k, n - 1)), 1e-4 * 3 * scale);
    // Odd about the wall: ψ(2 dy) = 2 ψ(dy) to third order.
    EXPECT_NEAR(at(2, k), 2 * at(1, k), 4e-5 * scale);
    EXPECT_NEAR(at(n - 2, k), 2 * at(n - 1, k), 4e-5 * scale);
  }
}

TEST(RandomStreamFunction, IsTheSameOnEveryGrid) {
  const RandomStreamFunction random(0.2);
  const std::vector<double> weights = random.draw_weights(9, 4);
  const StaggeredGrid coarse{10, 15};
  const StaggeredGrid fine{30, 30};
  const std::vector<double> coarse_psi = random.at_corners(coarse, weights);
  const std::vector<double> fine_psi = random.at_corners(fine, weights);
  for (int j = 0; j <= coarse.ny; ++j) {
    for (int i = 0; i <= coarse.nx; ++i) {
      EXPECT_NEAR(coarse_psi[corner(coarse, j, i)], fine_psi[corner(fine, 2 * j, 3 * i)], 1e-13);
    }
  }
}

TEST(RandomStreamFunction, RefusesInvalidLengths) {
  EXPECT_THROW(RandomStreamFunction(0), InputError);
  EXPECT_THROW(RandomStreamFunction(0.6), InputError);
  EXPECT_THROW(RandomStreamFunction(-1), InputError);
}

}  // namespace
}  // namespace tidewise::gyre
