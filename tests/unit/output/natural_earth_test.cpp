// Coastline, depth contours and names of a page, at places of known longitude and latitude.

#include "output/view/natural_earth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

constexpr double radians = 3.14159265358979 / 180;

/// A globe seen from above a position, with nodes `dx` km apart.
struct Patch {
  Grid grid;
  GlobeView globe;

  Patch(double longitude, double latitude, double dx, std::int32_t side) {
    grid = {side, side, -0.5 * (side - 1) * dx, -0.5 * (side - 1) * dx, dx, dx};
    globe.lattice = whole_lattice(grid, TimeLevel(0), TimeLevel(0));
    std::vector<double> axes[3];
    for (std::int32_t j = 0; j < side; ++j) {
      for (std::int32_t i = 0; i < side; ++i) {
        const double x = (grid.x_first + i * dx) / 6371;
        const double y = (grid.y_first + j * dx) / 6371;
        const double z = std::sqrt(1 - x * x - y * y);  // orthographic
        const double b = latitude * radians;
        const double l = longitude * radians;
        const double radial = z * std::cos(b) - y * std::sin(b);
        axes[0].push_back(radial * std::cos(l) - x * std::sin(l));
        axes[1].push_back(radial * std::sin(l) + x * std::cos(l));
        axes[2].push_back(z * std::sin(b) + y * std::cos(b));
      }
    }
    for (const auto& axis : axes) globe.point.insert(globe.point.end(), axis.begin(), axis.end());
  }

  NaturalEarthView earth() const { return natural_earth_in(grid, globe); }
  NaturalEarthView::Lines coast() const { return earth().coast; }
};

/// Returns the distance of the nearest line from the middle [km].
double nearest(const NaturalEarthView::Lines& lines) {
  double min = 1e9;
  for (const auto& line : lines) {
    for (std::size_t n = 0; n + 1 < line.size(); ++n) {
      for (int m = 0; m <= 20; ++m) {
        const double share = m / 20.0;
        min = std::min(min, std::hypot(line[n].x + share * (line[n + 1].x - line[n].x),
                                       line[n].y + share * (line[n + 1].y - line[n].y)));
      }
    }
  }
  return min;
}

TEST(Coast, GoesThroughCapes) {
  const struct {
    const char* name;
    double longitude, latitude;
  } capes[] = {
      {"Cape Flattery", -124.73, 48.38},        {"Cape of Good Hope", 18.47, -34.36},
      {"Cabo da Roca", -9.50, 38.78},           {"North Cape of New Zealand", 173.05, -34.42},
      {"Taveuni, on 180 degrees", 180, -16.80}, {"Cape Morris Jesup", -32.66, 83.63}};
  for (const auto& cape : capes) {
    EXPECT_LT(nearest(Patch(cape.longitude, cape.latitude, 4, 41).coast()), 4) << cape.name;
  }
}

TEST(Coast, IsCutNearTheGrid) {
  const Patch patch(-124.73, 48.38, 4, 41);
  const double edge = 1.5 * 20.5 * 4 + 4;
  std::size_t points = 0;
  for (const auto& line : patch.coast()) {
    EXPECT_GT(line.size(), 1U);
    for (const PlanePoint& point : line) {
      EXPECT_LE(std::abs(point.x), edge);
      EXPECT_LE(std::abs(point.y), edge);
      ++points;
    }
  }
  EXPECT_GT(points, 100U);
  EXPECT_TRUE(Patch(-140, 30, 4, 41).coast().empty());
  EXPECT_TRUE(Patch(0, 90, 4, 41).coast().empty()) << "no coast at the North Pole";
}

/// Returns the distance of the lines' nearest point from a point of the plane [km].
double distance(const NaturalEarthView::Lines& lines, double x, double y) {
  double min = 1e9;
  for (const auto& line : lines) {
    for (const PlanePoint& point : line) min = std::min(min, std::hypot(point.x - x, point.y - y));
  }
  return min;
}

TEST(Coast, AgreesBeyondTheGridWithLargerGrid) {
  const auto wide = Patch(-125.6, 48.38, 4, 61).coast();
  std::size_t beyond = 0;
  for (const auto& line : Patch(-125.6, 48.38, 4, 41).coast()) {
    for (const PlanePoint& point : line) {
      if (std::max(std::abs(point.x), std::abs(point.y)) < 20.5 * 4) continue;
      ++beyond;
      EXPECT_LT(distance(wide, point.x, point.y), 4);
    }
  }
  EXPECT_GT(beyond, 20U);
}

TEST(Coast, HasNoLinesWhereMapsAreCut) {
  // Chukotka's mountains and the Antarctic ice at 180° are land on both sides.
  EXPECT_TRUE(Patch(180, 67.5, 2, 21).coast().empty());
  EXPECT_TRUE(Patch(180, -88, 4, 21).coast().empty());
}

TEST(DepthContours, FollowTheShelfBreak) {
  // Off Cape Flattery the shelf is some 60 km wide, and the slope below it 20 km; both are cut by
  // canyons.
  const Patch shelf_break(-125.6, 48.0, 4, 31);
  const double at_200 = nearest(shelf_break.earth().depth_200);
  const double at_1000 = nearest(shelf_break.earth().depth_1000);
  EXPECT_LT(at_200, 40);
  EXPECT_LT(at_1000, 40);
  // The abyssal plain and a shallow sea have no such contours.
  EXPECT_TRUE(Patch(-140, 30, 4, 21).earth().depth_200.empty());
  EXPECT_TRUE(Patch(3, 54, 4, 21).earth().depth_1000.empty());
}

TEST(Names, AreDrawnAtTheirPositions) {
  const struct {
    const char* name;
    double longitude, latitude;
    bool is_sea;
  } places[] = {{"Tofino", -125.90, 49.15, false},
                {"Cape Town", 18.42, -33.92, false},
                {"Salish Sea", -123.06, 48.74, true}};
  for (const auto& place : places) {
    const auto names = Patch(place.longitude, place.latitude, 2, 21).earth().names;
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const MapName& name) { return name.name == place.name; });
    ASSERT_NE(found, names.end()) << place.name;
    EXPECT_LT(std::hypot(found->point.x, found->point.y), 10) << place.name;
    EXPECT_EQ(found->is_sea, place.is_sea) << place.name;
  }
  EXPECT_TRUE(Patch(-140, 30, 4, 21).earth().names.empty());
}

}  // namespace
}  // namespace tidewise
