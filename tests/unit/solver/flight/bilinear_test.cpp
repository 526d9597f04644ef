#include "solver/flight/bilinear.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tidewise {
namespace {

const Grid bilinear_grid{6, 5, 10.0, -3.0, 2.0, 0.5};

double linear(double x, double y) { return 3 * x - 2 * y + 0.5; }

double linear_at_cell(std::size_t cell) {
  const CellIndex index(static_cast<std::int32_t>(cell));
  return linear(bilinear_grid.x(bilinear_grid.column(index)),
                bilinear_grid.y(bilinear_grid.row(index)));
}

TEST(Bilinear, IsExactForLinearFields) {
  const std::vector<std::uint8_t> dry(30, 0);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> x(bilinear_grid.x(0), bilinear_grid.x(5));
  std::uniform_real_distribution<double> y(bilinear_grid.y(0), bilinear_grid.y(4));
  for (int n = 0; n < 1000; ++n) {
    const double px = x(random);
    const double py = y(random);
    EXPECT_NEAR(interpolate(bilinear_stencil(bilinear_grid, dry, px, py), linear_at_cell),
                linear(px, py), 1e-12);
  }
}

TEST(Bilinear, IsExactAtCentres) {
  const std::vector<std::uint8_t> dry(30, 0);
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 6; ++i) {
      const auto stencil =
          bilinear_stencil(bilinear_grid, dry, bilinear_grid.x(i), bilinear_grid.y(j));
      EXPECT_DOUBLE_EQ(interpolate(stencil, linear_at_cell),
                       linear(bilinear_grid.x(i), bilinear_grid.y(j)));
    }
  }
}

TEST(Bilinear, UsesTheNearestPointBeyondTheEdge) {
  const std::vector<std::uint8_t> dry(30, 0);
  const auto value = [&](double x, double y) {
    return interpolate(bilinear_stencil(bilinear_grid, dry, x, y), linear_at_cell);
  };
  EXPECT_DOUBLE_EQ(value(9.2, -2.0), linear(10, -2.0));
  EXPECT_DOUBLE_EQ(value(99, 99), linear(20, -1));
}

TEST(Bilinear, LeavesDryCentresOut) {
  std::vector<std::uint8_t> dry(30, 0);
  dry[static_cast<std::size_t>(bilinear_grid.cell(2, 2).value)] = 1;
  const auto poisoned = [&](std::size_t cell) { return dry[cell] != 0 ? 1e30 : 4.0; };
  // A constant field stays constant whichever centres are left out.
  EXPECT_DOUBLE_EQ(interpolate(bilinear_stencil(bilinear_grid, dry, 14.9, -1.9), poisoned), 4.0);
  // At (14.5, −2) the centres (2, 2), which is dry, and (3, 2) would have weights 0.75 and 0.25.
  const auto stencil = bilinear_stencil(bilinear_grid, dry, 14.5, -2.0);
  EXPECT_DOUBLE_EQ(interpolate(stencil, linear_at_cell), linear(bilinear_grid.x(3), -2.0));
  // At the dry centre itself no centre has a weight.
  const auto empty = bilinear_stencil(bilinear_grid, dry, bilinear_grid.x(2), bilinear_grid.y(2));
  EXPECT_EQ(interpolate(empty, poisoned), 0.0);
}

}  // namespace
}  // namespace tidewise
