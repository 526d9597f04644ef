// Targets of several points and of areas: entries of paths into them, and distances to them.

#include "solver/step/target_circles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/step/mission.h"

namespace tidewise {
namespace {

constexpr Grid wide_grid{100, 60, 0.5, 0.5, 1, 1};

TEST(JoinedDiscs, AreEnteredAtTheFirstOfThem) {
  const TargetDisc joined =
      join_discs({target_disc(wide_grid, 10.5, 5.5, 2), target_disc(wide_grid, 20.5, 5.5, 2),
                  target_disc(wide_grid, 50.5, 40.5, 2)});
  // On a path of 40 eastwards from (0.5, 5.5), the first rim is at 8.5, after a fifth of the path.
  EXPECT_DOUBLE_EQ(joined.entered_at(wide_grid, 0, 5, 40, 0), 0.2);
  // Westwards from (40.5, 5.5), the second disc is entered first, at 22.5.
  EXPECT_DOUBLE_EQ(joined.entered_at(wide_grid, 40, 5, -40, 0), 0.45);
  EXPECT_DOUBLE_EQ(joined.entered_by(wide_grid, 40.5, 5.5, 0.5, 5.5), 0.45);
  EXPECT_EQ(joined.entered_at(wide_grid, 40, 10, -40, 0), never_entered);
  EXPECT_TRUE(joined.may_be_entered(wide_grid, 50, 30, {0, 0}, {0, 10})) << "the third";
  EXPECT_FALSE(joined.may_be_entered(wide_grid, 70, 30, {0, 0}, {10, 10}));
  EXPECT_DOUBLE_EQ(joined.distance(wide_grid, 13, 5), 1);
  EXPECT_DOUBLE_EQ(joined.distance(wide_grid, 50, 50), 8);
  EXPECT_EQ(joined.distance(wide_grid, 20, 6), 0);
}

/// Cells [i0, i1) × [j0, j1).
void fill_cells(std::vector<std::uint8_t>& cells, int i0, int i1, int j0, int j1) {
  for (int j = j0; j < j1; ++j) {
    for (int i = i0; i < i1; ++i) cells[static_cast<std::size_t>(wide_grid.cell(i, j).value)] = 1;
  }
}

std::vector<std::uint8_t> no_cells() { return std::vector<std::uint8_t>(100 * 60, 0); }

double true_distance(const std::vector<std::uint8_t>& target, int i, int j) {
  double min = 1e9;
  for (std::int32_t cell = 0; cell < wide_grid.cell_count(); ++cell) {
    if (target[static_cast<std::size_t>(cell)] == 0) continue;
    const CellIndex index(cell);
    min = std::min(min, std::hypot(wide_grid.column(index) - i, wide_grid.row(index) - j));
  }
  return min;
}

TEST(TargetCircles, CoverACompactAreaByOneCircle) {
  auto target = no_cells();
  fill_cells(target, 40, 51, 20, 31);
  const TargetDisc disc = target_circles(wide_grid, target);
  EXPECT_EQ(disc.circle_count, 1);
  EXPECT_EQ(disc.radius, 0) << "paths are not tested against an area's circles";
  EXPECT_DOUBLE_EQ(disc.circle[0].column, 45);
  EXPECT_DOUBLE_EQ(disc.circle[0].row, 25);
  EXPECT_DOUBLE_EQ(disc.circle[0].radius, std::hypot(5, 5));
}

TEST(TargetCircles, BoundTheDistanceToTheTarget) {
  auto target = no_cells();
  fill_cells(target, 5, 8, 5, 8);
  fill_cells(target, 80, 90, 50, 52);
  fill_cells(target, 50, 51, 0, 40);
  const TargetDisc disc = target_circles(wide_grid, target);
  EXPECT_EQ(disc.circle_count, max_target_circles);
  double widest = 0;
  for (const TargetCircle& circle : disc.circle) widest = std::max(widest, circle.radius);
  EXPECT_LT(widest, 6) << "eight circles for a line of 40 and two patches";
  for (int j = 0; j < 60; j += 3) {
    for (int i = 0; i < 100; i += 3) {
      const double min = true_distance(target, i, j);
      const double by_circles = disc.distance(wide_grid, i, j);
      EXPECT_LE(by_circles, min + 1e-9) << i << ", " << j;
      EXPECT_GE(by_circles, min - 2 * widest - 1e-9) << i << ", " << j;
    }
  }
}

TEST(TargetCircles, AreTheCellsOfASmallTarget) {
  auto target = no_cells();
  fill_cells(target, 1, 2, 1, 2);
  fill_cells(target, 90, 91, 50, 51);
  const TargetDisc disc = target_circles(wide_grid, target);
  EXPECT_EQ(disc.circle_count, 2);
  EXPECT_DOUBLE_EQ(disc.distance(wide_grid, 90, 40), 10);
  EXPECT_DOUBLE_EQ(disc.distance(wide_grid, 1, 4), 3);
}

}  // namespace
}  // namespace tidewise
