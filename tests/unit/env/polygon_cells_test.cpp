// Cells of polygons, compared with hand calculations: holes, thin walls, 180 degrees, crossings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "env/areas/area_cells.h"
#include "env/areas/levels_within.h"
#include "env/areas/polygon_interior.h"

namespace tidewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

/// 5 × 4 cells of 1, the first centre at (0.5, 0.5): cell n is column n % 5, row n / 5.
constexpr Grid small_grid{5, 4, 0.5, 0.5, 1, 1};

Ring box(double west, double south, double east, double north) {
  return {{west, south}, {east, south}, {east, north}, {west, north}, {west, south}};
}

TEST(PolygonCells, AreThoseWhoseCentreLiesWithin) {
  const AreaCells cells(small_grid);
  EXPECT_THAT(cells({box(0.9, 0.9, 3.1, 2.1)}), ElementsAre(6, 7));
  EXPECT_THAT(cells({{{0, 0}, {3, 0}, {0, 3}, {0, 0}}}), ElementsAre(0, 1, 5))
      << "those on the slanting edge lie beside it";
  EXPECT_THAT(cells({box(-100, -100, 1, 1)}), ElementsAre(0)) << "a part of it outside the grid";
  EXPECT_THAT(cells({box(7, 7, 9, 9)}), IsEmpty());
}

TEST(PolygonCells, LeaveHolesOut) {
  const AreaCells cells(small_grid);
  EXPECT_THAT(cells({box(0, 0, 3, 3), box(1, 1, 2, 2)}), ElementsAre(0, 1, 2, 5, 7, 10, 11, 12));
}

TEST(PolygonCells, FollowTheOutlineIfNoCentreIsInside) {
  const AreaCells cells(small_grid);
  EXPECT_THAT(cells({box(1.1, 1.1, 1.3, 1.3)}), ElementsAre(6)) << "a rock";
  EXPECT_THAT(cells({box(0.2, 1.7, 4.2, 1.8)}), ElementsAre(5, 6, 7, 8, 9)) << "a wall";
}

/// 4 × 3 cells of a degree around 180°: centres at longitudes 178.5, 179.5, −179.5, −178.5 and
/// latitudes −1, 0, 1.
AreaCells across_the_date_line() {
  std::vector<double> longitude, latitude;
  for (const double lat : {-1.0, 0.0, 1.0}) {
    for (const double lon : {178.5, 179.5, -179.5, -178.5}) {
      longitude.push_back(lon);
      latitude.push_back(lat);
    }
  }
  return AreaCells({4, 3, 0, 0, 1000, 1000}, longitude, latitude);
}

TEST(PolygonCells, CrossThe180thMeridianForAnyLongitudes) {
  const AreaCells cells = across_the_date_line();
  EXPECT_THAT(cells({box(179, -0.5, 181, 0.5)}), ElementsAre(5, 6));
  EXPECT_THAT(cells({box(-181, -0.5, -179, 0.5)}), ElementsAre(5, 6));
  EXPECT_THAT(cells({box(-180, -0.5, -178, 0.5)}), ElementsAre(6, 7));
  EXPECT_THAT(cells({box(178, -1.5, 182, 1.5), box(-181, -0.5, -179, 0.5)}),
              ElementsAre(0, 1, 2, 3, 4, 7, 8, 9, 10, 11))
      << "a hole written a turn away";
  EXPECT_THAT(cells({box(179.6, -0.2, 180.3, -0.1)}), ElementsAre(5, 6)) << "a wall";
  EXPECT_THAT(cells({box(-1, -0.5, 1, 0.5)}), IsEmpty()) << "the other side of the globe";
}

TEST(PolygonCells, FollowTheOrientationOfRingsAroundTheGlobe) {
  const AreaCells cells = across_the_date_line();
  const auto cells_of = [&](const Ring& ring) {
    return cells({continuous_ring(ring, RingRole::outline)});
  };
  const std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  EXPECT_EQ(cells_of(box(-180, -90, 180, 90)), all);
  EXPECT_EQ(cells_of(box(0, -90, 360, 90)), all);
  EXPECT_THAT(cells_of(box(-179, -0.5, 179, 0.5)), ElementsAre(4, 7));
  EXPECT_THAT(cells_of({{179, -0.5}, {-179, -0.5}, {-179, 0.5}, {179, 0.5}, {179, -0.5}}),
              ElementsAre(5, 6));
  // A clockwise ring that crosses 180 degrees: as written, its edges would cross each other.
  EXPECT_THAT(cells_of({{179.9, -0.4},
                        {179.2, -0.9},
                        {179.2, 0.9},
                        {179.9, 0.4},
                        {-179.2, 0.4},
                        {-179.2, -0.4},
                        {179.9, -0.4}}),
              ElementsAre(5, 6));
  const Ring hole{{-179, -0.5}, {-179, 0.5}, {179, 0.5}, {179, -0.5}, {-179, -0.5}};
  EXPECT_THAT(cells({continuous_ring(box(-180, -90, 180, 90), RingRole::outline),
                     continuous_ring(hole, RingRole::hole)}),
              ElementsAre(0, 1, 2, 3, 5, 6, 8, 9, 10, 11));
}

TEST(PolygonCells, CoverTheWholeGlobeInAnyNotation) {
  const AreaCells cells = across_the_date_line();
  const std::vector<Ring> globes{
      box(-180, -90, 180, 90),
      box(0, -90, 360, 90),
      box(-180.0001, -90, 180, 90),
      box(-180, -90, 179.9999, 90),
      box(-200, -90, 160, 90),
      {{-180, -90}, {0, -90}, {180, -90}, {180, 90}, {0, 90}, {-180, 90}, {-180, -90}},
      {{-180, -90},
       {-90, -90},
       {0, -90},
       {90, -90},
       {180, -90},
       {180, 90},
       {-180, 90},
       {-180, -90}},
      // At each pole, one edge takes the shorter direction.
      {{-170, -90}, {170, -90}, {190, -90}, {190, 90}, {-170, 90}, {-170, -90}}};
  for (std::size_t n = 0; n < globes.size(); ++n) {
    for (Ring ring : {globes[n], Ring(globes[n].rbegin(), globes[n].rend())}) {
      for (std::size_t begin = 0; begin + 1 < ring.size(); ++begin) {
        EXPECT_EQ(describe_unclear(ring), "") << n;
        EXPECT_EQ(cells({continuous_ring(ring, RingRole::outline)}).size(), 12u)
            << n << " " << begin;
        ring.erase(ring.begin());  // starts at the next vertex
        ring.push_back(ring.front());
      }
    }
  }
}

TEST(PolygonCells, RefuseRingsAroundAPoleUnlessTheyRunAlongIt) {
  const AreaCells cells({4, 1, 0, 0, 1000, 1000}, {-175, 0, 90, 175}, {70, 70, 70, 70});
  const Ring pole_ring{{-180, 60}, {-90, 60}, {0, 60}, {90, 60}, {-180, 60}};
  EXPECT_THAT(describe_unclear(pole_ring), HasSubstr("goes round a pole"));
  // `advised` follows the message's remedy; `partial` has a shorter edge along the pole.
  const Ring advised{{-180, 60}, {-90, 60}, {0, 60},    {90, 60},
                     {180, 60},  {180, 90}, {-180, 90}, {-180, 60}};
  EXPECT_EQ(describe_unclear(advised), "");
  EXPECT_THAT(cells({continuous_ring(advised, RingRole::outline)}), ElementsAre(0, 1, 2, 3));
  const Ring partial{{-170, 60}, {-90, 60}, {0, 60},    {90, 60},
                     {170, 60},  {170, 90}, {-170, 90}, {-170, 60}};
  EXPECT_EQ(describe_unclear(partial), "");
  EXPECT_THAT(cells({continuous_ring(partial, RingRole::outline)}), ElementsAre(1, 2));
}

TEST(PolygonCells, DescribePolygonsAcross180) {
  const auto polygon_of = [](const Ring& ring) -> Polygon {
    return {continuous_ring(ring, RingRole::outline)};
  };
  const Polygon elsewhere{box(-126, 46, -124, 48)};
  Ring clockwise = box(-179, -60, 179, 60);
  std::reverse(clockwise.begin(), clockwise.end());
  EXPECT_EQ(describe_across_180({elsewhere, polygon_of(clockwise)}),
            "1 of 2 polygons goes across 180 degrees east, read as from 179 degrees east over 180 "
            "to -179, 2 wide; to mean the other longitudes, write the outline counterclockwise "
            "within -180 to 180");
  EXPECT_THAT(
      describe_across_180({polygon_of(clockwise), {box(178, 0, 182, 1)}, {box(-181, 0, -179, 1)}}),
      testing::StartsWith("3 of 3 polygons go across 180 degrees east, the first from 179"));
  // The outline that the message advises, the whole globe, and polygons that end at 180 degrees.
  EXPECT_EQ(
      describe_across_180({elsewhere, polygon_of(box(-179, -60, 179, 60)),
                           polygon_of(box(-180, -90, 180, 90)), polygon_of(box(170, 0, 180, 1)),
                           polygon_of(box(-180, 0, -170, 1)), polygon_of(box(200, 0, 210, 1))}),
      "");
}

TEST(PolygonCells, DetectCrossingEdges) {
  EXPECT_EQ(find_crossing({box(0, 0, 2, 2)}), "");
  EXPECT_THAT(find_crossing({{{0, 0}, {2, 2}, {2, 0}, {0, 2}, {0, 0}}}),
              HasSubstr("[0, 0] to [2, 2]"));
  EXPECT_NE(find_crossing({box(0, 0, 2, 2), box(1, 1, 3, 3)}), "") << "a hole through the outline";
  EXPECT_EQ(find_crossing({{{0, 0}, {1, 1}, {2, 0}, {2, 2}, {1, 1}, {0, 2}, {0, 0}}}), "")
      << "that touches itself in a vertex";
}

TEST(LevelsWithin, IncludeBothEndsOrTheNearestLevel) {
  const std::vector<double> levels{0, 10, 20, 30};
  EXPECT_THAT(levels_within(levels, 10, 20), Pair(1, 3));
  EXPECT_THAT(levels_within(levels, -5, 100), Pair(0, 4));
  EXPECT_THAT(levels_within(levels, 11, 14), Pair(1, 2));
  EXPECT_THAT(levels_within(levels, 16, 19), Pair(2, 3));
  EXPECT_THAT(levels_within(levels, 31, 40), Pair(0, 0));
}

}  // namespace
}  // namespace tidewise
