// Golden-section search by hand and on functions with known maximum, and the arithmetic that host
// and device share.

#include "base/golden_section.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/same_bits.h"

namespace tidewise {
namespace {

TEST(GoldenSection, EvaluatesGoldenSectionPoints) {
  std::vector<double> seen;
  const auto best = golden_section(
      [&](double x) {
        seen.push_back(x);
        return -(x - 1) * (x - 1);
      },
      0, 1, 2);
  // Both ends, both inner points, then points on the right, because the maximum is the right end.
  ASSERT_EQ(seen.size(), 6u);
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 1);
  EXPECT_NEAR(seen[2], 0.381966, 1e-6);
  EXPECT_NEAR(seen[3], 0.618034, 1e-6);
  EXPECT_NEAR(seen[4], 0.763932, 1e-6);
  EXPECT_NEAR(seen[5], 0.854102, 1e-6);
  EXPECT_EQ(best.at, 1);
  EXPECT_EQ(best.value, 0);
}

TEST(GoldenSection, FindsTheMaximumOfAParabola) {
  for (const double top : {-0.7, 0.0, 0.31, 1.9}) {
    const auto best =
        golden_section([&](double x) { return 3 - (x - top) * (x - top); }, -1, 2, 40);
    EXPECT_NEAR(best.at, top, 1e-7);
    EXPECT_NEAR(best.value, 3, 1e-13);
  }
}

TEST(GoldenSection, ReducesTheBracketByTheGoldenRatio) {
  for (const int steps : {1, 4, 14, 28}) {
    const auto best = golden_section([](double x) { return -std::fabs(x - 0.7317); }, 0, 1, steps);
    EXPECT_LE(std::fabs(best.at - 0.7317), std::pow(0.618034, steps + 1));
  }
}

TEST(GoldenSection, EvaluatesTheEnds) {
  EXPECT_EQ(golden_section([](double x) { return x; }, 2, 5, 10).at, 5);
  EXPECT_EQ(golden_section([](double x) { return -x; }, 2, 5, 10).at, 2);
  // On a tie, the first point is returned.
  EXPECT_EQ(golden_section([](double) { return 1.0; }, 2, 5, 10).at, 2);
  // The bracket may have zero length.
  EXPECT_EQ(golden_section([](double x) { return x; }, 2, 2, 10).at, 2);
}

TEST(GoldenSection, IsNeverWorseThanTheEnds) {
  const auto wave = [](double x) { return std::cos(9 * x) + x; };
  const auto best = golden_section(wave, -2, 2, 30);
  EXPECT_GE(best.value, std::max(wave(-2), wave(2)));
}

TEST(GoldenSection, FindsTheMaximumOfALogarithm) {
  // ln(1 − x) + 0.9 ln x: x = 0.9/1.9.
  const auto best = golden_section(
      [](double x) { return x <= 0 || x >= 1 ? -1e300 : std::log(1 - x) + 0.9 * std::log(x); }, 0,
      1, 45);
  EXPECT_NEAR(best.at, 0.9 / 1.9, 1e-7);
}

TEST(SameBitsFunctions, LogarithmMatchesTheLibrary) {
  EXPECT_EQ(same_bits_log(1), 0);
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    const double expected = std::log(x);
    EXPECT_NEAR(same_bits_log(x), expected, 4e-16 * std::fabs(expected)) << x;
  }
  for (double x = 0.5; x < 2; x += 0.00137) {
    EXPECT_NEAR(same_bits_log(x), std::log(x), 4e-16 * std::fabs(std::log(x)) + 1e-18) << x;
  }
}

TEST(SameBitsFunctions, DirectionMatchesTheLibrary) {
  for (double angle = -20; angle < 20; angle += 0.00713) {
    const Direction direction = same_bits_direction(angle);
    EXPECT_NEAR(direction.cosine, std::cos(angle), 3e-16) << angle;
    EXPECT_NEAR(direction.sine, std::sin(angle), 3e-16) << angle;
  }
  EXPECT_EQ(same_bits_direction(0).cosine, 1);
  EXPECT_EQ(same_bits_direction(0).sine, 0);
  EXPECT_NEAR(same_bits_direction(std::numbers::pi / 2).cosine, 0, 1e-16);
}

}  // namespace
}  // namespace tidewise
