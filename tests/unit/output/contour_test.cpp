// Regions of a field's values as polygons.

#include "output/route/plane/contour.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tidewise {
namespace {

constexpr float gap = std::numeric_limits<float>::quiet_NaN();

double signed_area(const std::vector<PlanePoint>& ring) {
  double area = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const PlanePoint& a = ring[n];
    const PlanePoint& b = ring[(n + 1) % ring.size()];
    area += (a.x * b.y - b.x * a.y) / 2;
  }
  return area;
}

/// Winding number of a ring around a point, by the angles of its corners.
int winding(const std::vector<PlanePoint>& ring, double x, double y) {
  double angle = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const PlanePoint& a = ring[n];
    const PlanePoint& b = ring[(n + 1) % ring.size()];
    angle += std::atan2((a.x - x) * (b.y - y) - (a.y - y) * (b.x - x),
                        (a.x - x) * (b.x - x) + (a.y - y) * (b.y - y));
  }
  return static_cast<int>(std::lround(angle / (2 * 3.14159265358979)));
}

int winding(const std::vector<PlanePolygon>& polygons, double x, double y) {
  int sum = 0;
  for (const PlanePolygon& polygon : polygons) {
    sum += winding(polygon.outer, x, y);
    for (const auto& hole : polygon.holes) sum += winding(hole, x, y);
  }
  return sum;
}

const Grid small_grid{5, 5, 10, 20, 2, 4};

std::vector<float> field_of(const std::string& rows) {
  std::vector<float> field;
  for (const char sign : rows) {
    field.push_back(sign == '.' ? 0.0F : sign == '#' ? 1.0F : gap);
  }
  return field;
}

TEST(Contour, IsADiamondAroundOneCell) {
  const auto field = field_of("............#............");
  // Towards neighbours at distances 2 and 4, it extends to the point with the level's value.
  for (const double level : {0.25, 0.5, 0.8}) {
    const auto polygons = contour(small_grid, field, level);
    ASSERT_EQ(polygons.size(), 1U);
    EXPECT_TRUE(polygons[0].holes.empty());
    EXPECT_EQ(polygons[0].outer.size(), 4U);
    const double reach = 1 - level;
    EXPECT_NEAR(signed_area(polygons[0].outer), 2 * (reach * 2) * (reach * 4), 1e-6);
    EXPECT_EQ(winding(polygons, 14, 28), 1);
  }
}

TEST(Contour, EndsAtEdgesOfCellsWithoutValueAndAtTheBorder) {
  // All cells except a column of land are inside: two boxes with cut corners.
  const auto polygons = contour(small_grid, field_of("##x####x####x####x####x##"), 0.5);
  ASSERT_EQ(polygons.size(), 2U);
  for (const PlanePolygon& polygon : polygons) {
    double west = 1e9, east = -1e9, south = 1e9, north = -1e9;
    for (const PlanePoint& corner : polygon.outer) {
      west = std::min(west, corner.x);
      east = std::max(east, corner.x);
      south = std::min(south, corner.y);
      north = std::max(north, corner.y);
    }
    EXPECT_TRUE((west == 9 && east == 13) || (west == 15 && east == 19)) << west << " " << east;
    EXPECT_EQ(south, 18);
    EXPECT_EQ(north, 38);
    EXPECT_NEAR(signed_area(polygon.outer), 4 * 20 - 4 * 0.5 * 1 * 2, 1e-9);
  }
}

TEST(Contour, HasHolesWithinTheRegionAroundThem) {
  const auto polygons = contour(small_grid, field_of("######...##.#.##...######"), 0.5);
  ASSERT_EQ(polygons.size(), 2U);
  const bool first_is_around = polygons[0].holes.size() == 1;
  const PlanePolygon& around = polygons[first_is_around ? 0 : 1];
  const PlanePolygon& within = polygons[first_is_around ? 1 : 0];
  ASSERT_EQ(around.holes.size(), 1U);
  EXPECT_LT(signed_area(around.holes[0]), 0);
  EXPECT_TRUE(within.holes.empty());
  EXPECT_EQ(winding(polygons, 14, 28), 1);
  EXPECT_EQ(winding(polygons, 14, 24), 0);
  EXPECT_EQ(winding(polygons, 10, 20), 1);
}

TEST(Contour, JoinsDiagonalCornersIfTheMeanIsAboveTheLevel) {
  const Grid two{2, 2, 0, 0, 1, 1};
  const std::vector<float> across{1, 0, 0, 1};  // mean 0.5
  EXPECT_EQ(contour(two, across, 0.4).size(), 1U);
  EXPECT_EQ(contour(two, across, 0.6).size(), 2U);
}

TEST(Contour, EnclosesTheCellsAboveTheLevel) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const Grid grid{9, 7, -3, 5, 1.5, 0.5};
    std::vector<float> field;
    for (std::int32_t n = 0; n < grid.cell_count(); ++n) {
      field.push_back(random() % 6 == 0 ? gap : static_cast<float>(random() % 1000) / 1000);
    }
    const auto polygons = contour(grid, field, 0.45);
    for (const PlanePolygon& polygon : polygons) {
      ASSERT_GT(signed_area(polygon.outer), 0);
      for (const auto& hole : polygon.holes) ASSERT_LT(signed_area(hole), 0);
    }
    for (std::int32_t j = 0; j < grid.ny; ++j) {
      for (std::int32_t i = 0; i < grid.nx; ++i) {
        const float value = field[static_cast<std::size_t>(grid.cell(i, j).value)];
        const double x = grid.x_first + i * grid.dx;
        const double y = grid.y_first + j * grid.dy;
        ASSERT_EQ(winding(polygons, x, y), value >= 0.45 ? 1 : 0)
            << trial << ": " << i << ", " << j;
      }
    }
  }
}

TEST(Contour, IsEmptyBelowTheLevel) {
  EXPECT_TRUE(contour(small_grid, std::vector<float>(25, 0.1F), 0.5).empty());
  EXPECT_TRUE(contour(small_grid, std::vector<float>(25, gap), 0.5).empty());
}

}  // namespace
}  // namespace tidewise
