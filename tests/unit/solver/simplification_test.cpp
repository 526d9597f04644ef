// Simplified lines, compared with results by hand and with every possible choice of points.

#include "solver/route/simplification.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

using Indices = std::vector<std::size_t>;

bool all_clear(std::size_t, std::size_t) { return true; }

// East by 4, then north by 4, with a point at each unit.
std::vector<PlanePoint> corner() {
  std::vector<PlanePoint> line;
  for (int n = 0; n <= 4; ++n) line.push_back({double(n), 0});
  for (int n = 1; n <= 4; ++n) line.push_back({4, double(n)});
  return line;
}

TEST(LineLegs, KeepACorner) {
  const LineLegs legs(corner(), all_clear);
  EXPECT_EQ(legs.fewest(0).kept, (Indices{0, 4, 8}));
  EXPECT_EQ(legs.fewest(0).deviation, 0);
  EXPECT_EQ(legs.nearest(2).kept, (Indices{0, 4, 8}));
  EXPECT_EQ(legs.nearest(100).kept, (Indices{0, 4, 8}));  // more points change nothing
  const SimplifiedLine straight = legs.nearest(1);
  EXPECT_EQ(straight.kept, (Indices{0, 8}));
  EXPECT_NEAR(straight.deviation, 4 / std::sqrt(2), 1e-12);
  EXPECT_EQ(legs.fewest(2.82).legs(), 2u);
  EXPECT_EQ(legs.fewest(2.83).legs(), 1u);
}

// The distance is from the leg, not from the infinite line.
TEST(LineLegs, MeasureDistanceToTheSegment) {
  const LineLegs legs({{0, 0}, {-3, 0}, {5, 0}}, all_clear);
  EXPECT_EQ(legs.nearest(1).deviation, 3);
  EXPECT_EQ(legs.fewest(2.9).kept, (Indices{0, 1, 2}));
}

TEST(LineLegs, FindTheCheapestWithinTolerance) {
  const LineLegs legs(corner(), all_clear);
  // Leaving out the point at 2 costs 1, and leaving out that at 6 costs 3.
  const auto cost = [](std::size_t from, std::size_t to) {
    return (from < 2 && to > 2 ? 1.0 : 0.0) + (from < 6 && to > 6 ? 3.0 : 0.0);
  };
  EXPECT_EQ(legs.cheapest(4, 0, cost).kept, (Indices{0, 2, 4, 6, 8}));
  EXPECT_EQ(legs.cheapest(3, 0, cost).kept, (Indices{0, 4, 6, 8}));
  EXPECT_EQ(legs.cheapest(2, 0, cost).kept, (Indices{0, 4, 8})) << "no other is near";
  EXPECT_TRUE(legs.cheapest(1, 0, cost).kept.empty());
  const SimplifiedLine far = legs.cheapest(2, 10, cost);
  EXPECT_EQ(far.kept, (Indices{0, 6, 8}));
  EXPECT_NEAR(far.deviation, 8 / std::sqrt(20), 1e-12);  // of (4, 0) from the leg to (4, 2)
}

TEST(LineLegs, AvoidForbiddenLegs) {
  // No leg may pass point 4 without a stop at it or next to it.
  const auto clear = [](std::size_t from, std::size_t to) {
    return to == from + 1 || !(from < 4 && to > 4);
  };
  std::vector<PlanePoint> line;
  for (int n = 0; n <= 8; ++n) line.push_back({double(n), 0});
  const LineLegs legs(line, clear);
  EXPECT_EQ(legs.fewest(10).kept, (Indices{0, 4, 8}));
  EXPECT_EQ(legs.fewest(INFINITY).kept, (Indices{0, 4, 8}));
  EXPECT_TRUE(legs.nearest(1).kept.empty());
  EXPECT_EQ(legs.nearest(1).legs(), 0u);
  EXPECT_EQ(legs.nearest(2).kept, (Indices{0, 4, 8}));
}

TEST(LineLegs, FindTheSmallestDeviation) {
  std::vector<PlanePoint> line;
  line.reserve(11);
  for (int n = 0; n < 11; ++n) line.push_back({double(n), 3 * std::sin(1.7 * n * n)});
  const auto clear = [](std::size_t from, std::size_t to) {
    return to == from + 1 || (from * 7 + to * 3) % 4 != 0;
  };
  const LineLegs legs(line, clear);
  const auto deviation_of = [&](const Indices& kept) {
    double worst = 0;
    for (std::size_t leg = 0; leg + 1 < kept.size(); ++leg) {
      const PlanePoint a = line[kept[leg]];
      const PlanePoint b = line[kept[leg + 1]];
      if (!clear(kept[leg], kept[leg + 1])) return double(INFINITY);
      for (std::size_t n = kept[leg]; n <= kept[leg + 1]; ++n) {
        double nearest = INFINITY;
        for (int s = 0; s <= 20000; ++s) {
          const double share = s / 20000.0;
          nearest = std::min(nearest, std::hypot(a.x + share * (b.x - a.x) - line[n].x,
                                                 a.y + share * (b.y - a.y) - line[n].y));
        }
        worst = std::max(worst, nearest);
      }
    }
    return worst;
  };
  std::vector<double> min(11, INFINITY);  // (number of legs)
  for (int choice = 0; choice < 512; ++choice) {
    Indices kept{0};
    for (std::size_t n = 1; n < 10; ++n) {
      if ((choice >> (n - 1) & 1) != 0) kept.push_back(n);
    }
    kept.push_back(10);
    const std::size_t count = kept.size() - 1;
    min[count] = std::min(min[count], deviation_of(kept));
  }
  double best = INFINITY;
  for (std::size_t max_legs = 1; max_legs <= 10; ++max_legs) {
    best = std::min(best, min[max_legs]);
    const SimplifiedLine found = legs.nearest(max_legs);
    if (!std::isfinite(best)) {
      EXPECT_TRUE(found.kept.empty());
      continue;
    }
    EXPECT_NEAR(found.deviation, best, 1e-3) << max_legs;
    EXPECT_LE(found.legs(), max_legs);
    // A line of fewer legs is not as near.
    EXPECT_EQ(legs.fewest(found.deviation).legs(), found.legs());
  }
}

}  // namespace
}  // namespace tidewise
