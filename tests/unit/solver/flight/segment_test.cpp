#include "solver/flight/segment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "solver/step/path.h"

namespace tidewise {
namespace {

using Cells = std::set<std::pair<int, int>>;

// A grid with different spacings whose corner is not the origin.
const Grid segment_grid{40, 30, -7.0, 11.0, 2.0, 0.5};

Cells visited(const Grid& grid, double x0, double y0, double x1, double y1) {
  Cells cells;
  walk_segment(grid, x0, y0, x1, y1, [&](std::int32_t i, std::int32_t j) {
    cells.emplace(i, j);
    return false;
  });
  return cells;
}

// True if the closed cell (i, j) touches the closed segment, by clipping it with each pair of
// edges.
bool touches(const Grid& grid, int i, int j, double x0, double y0, double x1, double y1) {
  double first = 0;
  double last = 1;
  const auto clip = [&](double from, double to, double low, double high) {
    if (from == to) {
      if (from < low || from > high) last = -1;
      return;
    }
    const double a = (low - from) / (to - from);
    const double b = (high - from) / (to - from);
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  };
  clip(x0, x1, grid.x(i) - grid.dx / 2, grid.x(i) + grid.dx / 2);
  clip(y0, y1, grid.y(j) - grid.dy / 2, grid.y(j) + grid.dy / 2);
  return first <= last;
}

TEST(Segment, VisitsTheCellsOfABruteForceSearch) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> x(-8, 72);
  std::uniform_real_distribution<double> y(11, 26);
  std::uniform_real_distribution<double> step(-3, 3);
  for (int n = 0; n < 2000; ++n) {
    const double x0 = x(random);
    const double y0 = y(random);
    const double x1 = n % 4 == 0 ? x(random) : x0 + 2.0 * step(random);
    const double y1 = n % 4 == 0 ? y(random) : y0 + 0.5 * step(random);
    Cells expected;
    const std::pair start(segment_grid.column_at(x0), segment_grid.row_at(y0));
    for (int j = -8; j < 38; ++j) {
      for (int i = -5; i < 45; ++i) {
        if (std::pair(i, j) != start && touches(segment_grid, i, j, x0, y0, x1, y1))
          expected.emplace(i, j);
      }
    }
    ASSERT_EQ(visited(segment_grid, x0, y0, x1, y1), expected)
        << x0 << ' ' << y0 << ' ' << x1 << ' ' << y1;
  }
}

TEST(Segment, VisitsTheModelsPathBetweenCentres) {
  const Grid plain{20, 20, 0.5, 0.5, 1, 1};
  for (int dy = -5; dy <= 5; ++dy) {
    for (int dx = -5; dx <= 5; ++dx) {
      Cells expected;
      for (int j = std::min(0, dy); j <= std::max(0, dy); ++j) {
        for (int i = std::min(0, dx); i <= std::max(0, dx); ++i) {
          if ((i != 0 || j != 0) && is_on_path(i, j, {dx, dy})) expected.emplace(10 + i, 10 + j);
        }
      }
      EXPECT_EQ(visited(plain, 10.5, 10.5, 10.5 + dx, 10.5 + dy), expected) << dx << ' ' << dy;
    }
  }
}

TEST(Segment, EndsInTheCellOfItsEnd) {
  const Grid plain{9, 9, 0.5, 0.5, 1, 1};
  EXPECT_EQ(visited(plain, 4.5, 4.5, 3.0, 4.5), (Cells{{3, 4}}));  // on its lower edge, not beyond
  EXPECT_EQ(visited(plain, 4.5, 4.5, 6.0, 4.5), (Cells{{5, 4}, {6, 4}}));
  EXPECT_EQ(visited(plain, 4.0, 4.5, 5.5, 4.5), (Cells{{5, 4}}));  // an edge that was crossed
  EXPECT_EQ(visited(plain, 4.0, 4.5, 3.5, 4.5), (Cells{{3, 4}}));
  EXPECT_EQ(visited(plain, 4.2, 4.2, 4.8, 4.9), Cells{});
  EXPECT_EQ(visited(plain, 4.2, 4.2, 4.2, 4.2), Cells{});
}

TEST(Segment, StopsFarBeyondTheGrid) {
  const Grid plain{9, 9, 0.5, 0.5, 1, 1};
  for (const double far : {-1e300, -1e30, 1e30, 1e300}) {
    for (const double y : {4.5, -far, 0.5 * far}) {
      EXPECT_LE(visited(plain, 4.5, 4.5, far, y).size(), 60U) << far << ' ' << y;
      EXPECT_LE(visited(plain, 4.5, 4.5, y, far).size(), 60U) << far << ' ' << y;
    }
  }
  // A closed cell of the grid on the path still blocks.
  const auto wall = [](std::int32_t i, std::int32_t j) { return i == 8 && j == 8; };
  EXPECT_EQ(walk_segment(plain, 4.5, 4.5, 1e30, 1e30, wall).kind, SegmentHit::Kind::hit);
  EXPECT_EQ(walk_segment(plain, 4.5, 4.5, -1e30, 1e30, wall).kind, SegmentHit::Kind::none);
}

TEST(Segment, StopsAtABlockingCell) {
  const Grid plain{9, 9, 0.5, 0.5, 1, 1};
  const auto wall = [](std::int32_t i, std::int32_t) { return i == 6; };
  const SegmentHit hit = walk_segment(plain, 4.5, 4.5, 8.5, 4.5, wall);
  EXPECT_EQ(hit.kind, SegmentHit::Kind::hit);
  EXPECT_DOUBLE_EQ(hit.at, 1.5 / 4);
  EXPECT_EQ(walk_segment(plain, 4.5, 4.5, 5.9, 4.5, wall).kind, SegmentHit::Kind::none);
  // The segment passes through the corner of (5, 4) and (4, 5), either of which blocks it.
  for (const auto& blocking : Cells{{5, 4}, {4, 5}, {5, 5}}) {
    const auto corner =
        walk_segment(plain, 4.5, 4.5, 5.5, 5.5,
                     [&](std::int32_t i, std::int32_t j) { return std::pair(i, j) == blocking; });
    EXPECT_EQ(corner.kind, SegmentHit::Kind::hit);
    EXPECT_DOUBLE_EQ(corner.at, 0.5);
  }
}

}  // namespace
}  // namespace tidewise
