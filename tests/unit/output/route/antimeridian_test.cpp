#include "output/route/antimeridian.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tidewise {
namespace {

using GeographicRing = std::vector<GeographicPoint>;

/// Twice the area on the map's plane [degrees²], positive for a counter-clockwise ring.
double twice_area(const GeographicRing& ring) {
  double sum = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const GeographicPoint& a = ring[n];
    const GeographicPoint& b = ring[(n + 1) % ring.size()];
    sum += a.longitude * b.latitude - b.longitude * a.latitude;
  }
  return sum;
}

double twice_area(const std::vector<GeographicPolygon>& pieces) {
  double sum = 0;
  for (const GeographicPolygon& piece : pieces) {
    sum += twice_area(piece.outer);
    for (const GeographicRing& hole : piece.holes) sum += twice_area(hole);
  }
  return sum;
}

/// Expects no side of a piece to be longer than half the map, that is, to cross the cut.
void expect_no_crossing(const std::vector<GeographicPolygon>& pieces) {
  for (const GeographicPolygon& piece : pieces) {
    for (std::size_t n = 0; n < piece.outer.size(); ++n) {
      const GeographicPoint& a = piece.outer[n];
      const GeographicPoint& b = piece.outer[(n + 1) % piece.outer.size()];
      const bool at_pole = std::abs(a.latitude) == 90 && std::abs(b.latitude) == 90;
      EXPECT_TRUE(at_pole || std::abs(a.longitude - b.longitude) <= 180);
    }
  }
}

void expect_points(const std::vector<CutPoint>& piece,
                   const std::vector<std::array<double, 3>>& expected) {
  ASSERT_EQ(piece.size(), expected.size());
  for (std::size_t n = 0; n < piece.size(); ++n) {
    EXPECT_NEAR(piece[n].place.longitude, expected[n][0], 1e-8) << n;
    EXPECT_NEAR(piece[n].place.latitude, expected[n][1], 1e-8) << n;
    EXPECT_NEAR(piece[n].position, expected[n][2], 1e-8) << n;
  }
}

TEST(CutLine, LeavesShapesOffTheMeridianWhole) {
  const auto pieces = cut_line({{-10, 1}, {170, 2}, {-10.5, 3}});
  ASSERT_EQ(pieces.size(), 2U);  // 170 to -10.5 is shorter across the cut
  const auto whole = cut_line({{-10, 1}, {170, 2}});
  ASSERT_EQ(whole.size(), 1U);
  expect_points(whole[0], {{-10, 1, 0}, {170, 2, 1}});
}

TEST(CutLine, CutsInTheMiddleOnTheEquatorInBothDirections) {
  const auto east = cut_line({{179, 0}, {-179, 0}});
  ASSERT_EQ(east.size(), 2U);
  expect_points(east[0], {{179, 0, 0}, {180, 0, 0.5}});
  expect_points(east[1], {{-180, 0, 0.5}, {-179, 0, 1}});
  const auto west = cut_line({{-179, 0}, {179, 0}});
  ASSERT_EQ(west.size(), 2U);
  expect_points(west[0], {{-179, 0, 0}, {-180, 0, 0.5}});
  expect_points(west[1], {{180, 0, 0.5}, {179, 0, 1}});
}

TEST(CutLine, CutsOnTheGreatCircle) {
  const auto pieces = cut_line({{135, 45}, {-135, 45}});
  ASSERT_EQ(pieces.size(), 2U);
  // Midway on the great circle: tan φ = tan 45° / cos 45°.
  EXPECT_NEAR(pieces[0].back().place.latitude,
              std::atan(std::sqrt(2.0)) * 180 / 3.14159265358979323846, 1e-8);
}

TEST(CutLine, AssignsPointsOnTheMeridianToBothSides) {
  const auto through = cut_line({{179, 1}, {180, 2}, {-179, 3}});
  ASSERT_EQ(through.size(), 2U);
  expect_points(through[0], {{179, 1, 0}, {180, 2, 1}});
  ASSERT_GE(through[1].size(), 2U);
  EXPECT_EQ(through[1].front().place.longitude, -180);
  EXPECT_EQ(through[1].back().place.longitude, -179);
  const auto touching = cut_line({{179, 1}, {-180, 2}, {179, 3}});
  ASSERT_EQ(touching.size(), 2U);
  EXPECT_EQ(touching[0].back().place.longitude, 180);
  EXPECT_EQ(touching[1].front().place.longitude, 180);
  EXPECT_EQ(cut_line({{179, 1}, {180, 2}}).size(), 1U);
  EXPECT_EQ(cut_line({{180, 2}}).size(), 1U);
}

TEST(CutPolygon, LeavesShapesOffTheMeridianWhole) {
  const GeographicRing outer{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  const GeographicRing hole{{2, 2}, {2, 4}, {4, 4}, {4, 2}};
  const auto pieces = cut_polygon({outer, {hole}});
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].outer.size(), 4U);
  ASSERT_EQ(pieces[0].holes.size(), 1U);
  EXPECT_DOUBLE_EQ(twice_area(pieces), 2 * (100 - 4));
}

TEST(CutPolygon, CutsASquareIntoTwo) {
  const auto pieces = cut_polygon({{{179, -1}, {-178, -1}, {-178, 1}, {179, 1}}, {}});
  ASSERT_EQ(pieces.size(), 2U);
  expect_no_crossing(pieces);
  // The great circle deviates little from the parallel.
  EXPECT_NEAR(twice_area(pieces), 2 * 3 * 2, 0.01);
  for (const auto& piece : pieces) EXPECT_GT(twice_area(piece.outer), 0);
}

TEST(CutPolygon, CutsAHornIntoThree) {
  // The polygon is a C that opens to the east, with both arms beyond the cut.
  const auto pieces = cut_polygon(
      {{{179, -3}, {-179, -3}, {-179, -2}, {179.5, -2}, {179.5, 2}, {-179, 2}, {-179, 3}, {179, 3}},
       {}});
  ASSERT_EQ(pieces.size(), 3U);
  expect_no_crossing(pieces);
  EXPECT_NEAR(twice_area(pieces), 2 * (2 * 6 - 1.5 * 4), 0.01);
}

TEST(CutPolygon, SplitsHoleOnTheCutAndKeepsOthers) {
  const GeographicRing outer{{178, -4}, {-178, -4}, {-178, 4}, {178, 4}};
  const GeographicRing on_cut{{179.5, -1}, {179.5, 1}, {-179.5, 1}, {-179.5, -1}};
  const GeographicRing off_cut{{-179, 2}, {-179, 3}, {-178.5, 3}, {-178.5, 2}};
  const auto pieces = cut_polygon({outer, {on_cut, off_cut}});
  ASSERT_EQ(pieces.size(), 2U);
  expect_no_crossing(pieces);
  EXPECT_NEAR(twice_area(pieces), 2 * (4 * 8 - 1 * 2 - 0.5 * 1), 0.05);
  std::size_t holes = 0;
  for (const auto& piece : pieces) {
    holes += piece.holes.size();
    EXPECT_TRUE(piece.holes.empty() || piece.outer.front().longitude < 0);
  }
  EXPECT_EQ(holes, 1U);
}

GeographicRing ring_around_pole(double latitude, bool eastward) {
  GeographicRing ring;
  for (int n = 0; n < 8; ++n) {
    const double longitude = -157.5 + 45 * n;
    ring.push_back({eastward ? longitude : -longitude, latitude});
  }
  return ring;
}

TEST(CutPolygon, IncludesAPole) {
  // Counter-clockwise, seen from above: eastward in the north, westward in the south.
  const auto north = cut_polygon({ring_around_pole(80, true), {}});
  ASSERT_EQ(north.size(), 1U);
  expect_no_crossing(north);
  EXPECT_NEAR(twice_area(north), 2 * 360 * 10, 2 * 45);
  const auto south = cut_polygon({ring_around_pole(-80, false), {}});
  ASSERT_EQ(south.size(), 1U);
  expect_no_crossing(south);
  EXPECT_NEAR(twice_area(south), 2 * 360 * 10, 2 * 45);
}

TEST(CutPolygon, ExcludesAPoleThatItSurrounds) {
  const auto pieces = cut_polygon({ring_around_pole(80, true), {ring_around_pole(85, false)}});
  ASSERT_EQ(pieces.size(), 1U);
  expect_no_crossing(pieces);
  EXPECT_NEAR(twice_area(pieces), 2 * 360 * 5, 2 * 45);
  for (const GeographicPoint& corner : pieces[0].outer) EXPECT_LT(corner.latitude, 86);
}

TEST(CutPolygon, AcceptsSidesOnTheMeridian) {
  const auto west_of_it = cut_polygon({{{179, 0}, {180, 0}, {180, 1}, {179, 1}}, {}});
  ASSERT_EQ(west_of_it.size(), 1U);
  expect_no_crossing(west_of_it);
  EXPECT_NEAR(twice_area(west_of_it), 2, 1e-6);
  const auto east_of_it = cut_polygon({{{180, 0}, {-179, 0}, {-179, 1}, {180, 1}}, {}});
  ASSERT_EQ(east_of_it.size(), 1U);
  EXPECT_NEAR(twice_area(east_of_it), 2, 1e-6);
  // The polygon is on both sides and has corners on the meridian.
  const auto both =
      cut_polygon({{{179, 0}, {180, 0}, {-179, 0}, {-179, 1}, {180, 1}, {179, 1}}, {}});
  ASSERT_EQ(both.size(), 2U);
  expect_no_crossing(both);
  EXPECT_NEAR(twice_area(both), 4, 1e-6);
}

TEST(CutPolygon, DropsPolygonsWithoutArea) {
  EXPECT_TRUE(cut_polygon({{{1, 1}, {2, 2}}, {}}).empty());
  EXPECT_TRUE(cut_polygon({{}, {}}).empty());
}

}  // namespace
}  // namespace tidewise
