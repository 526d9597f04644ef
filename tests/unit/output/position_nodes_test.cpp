// Positions in planes of many kinds, computed from longitude and latitude as on board.

#include "output/board/position_nodes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "base/error.h"

namespace tidewise {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double sphere = 6371000;  // [m]

struct Place {
  double longitude, latitude;
};

struct Cells {
  Grid grid;
  std::vector<double> longitude, latitude;

  Cells(const Grid& cells, const std::function<Place(double, double)>& inverse) : grid(cells) {
    for (std::int32_t j = 0; j < grid.ny; ++j) {
      for (std::int32_t i = 0; i < grid.nx; ++i) {
        const Place place = inverse(grid.x(i), grid.y(j));
        longitude.push_back(std::remainder(place.longitude, 360.0));
        latitude.push_back(place.latitude);
      }
    }
  }
  PositionNodes nodes() const { return find_position_nodes(grid, longitude, latitude); }
};

/// The sphere's oblique stereographic plane around a centre.
std::function<Place(double, double)> stereographic(double longitude, double latitude) {
  return [=](double x, double y) -> Place {
    const double rho = std::hypot(x, y);
    if (rho == 0) return {longitude, latitude};
    const double c = 2 * std::atan(rho / (2 * sphere));
    const double phi = latitude * degree;
    return {
        longitude + std::atan2(x * std::sin(c), rho * std::cos(phi) * std::cos(c) -
                                                    y * std::sin(phi) * std::sin(c)) /
                        degree,
        std::asin(std::cos(c) * std::sin(phi) + y * std::sin(c) * std::cos(phi) / rho) / degree};
  };
}

void expect_accurate(const PositionNodes& nodes, std::uint32_t max_nodes) {
  EXPECT_LE(nodes.position_error, 0.002);
  EXPECT_LE(nodes.bearing_error, 0.1);
  EXPECT_LE(nodes.rows * nodes.columns, max_nodes);
  EXPECT_EQ(nodes.map.size(), 2 * std::size_t{nodes.rows} * nodes.columns);
}

TEST(PositionNodes, AreFewOnStereographicPlanesAnywhere) {
  // These planes are a sphere's, but the map uses the conformal latitudes of the ellipsoid.
  const Grid grid{80, 61, -200000, -150000, 5000, 5000};
  for (const auto& [longitude, latitude] :
       {Place{-125.5, 48}, Place{179.9, -17}, Place{30, 89.7}, Place{-70, -89.95}, Place{12, 0}}) {
    SCOPED_TRACE(latitude);
    expect_accurate(Cells(grid, stereographic(longitude, latitude)).nodes(), 64);
  }
}

TEST(PositionNodes, FollowAGridOfDegrees) {
  // Many forecasts have equal steps of latitude and longitude. At 60° N, parallels are curved.
  const Grid grid{100, 80, 0, 0, 2000, 2000};
  for (const double latitude : {-5.0, 36.0, 60.0}) {
    for (const double longitude : {-30.0, 179.0}) {
      SCOPED_TRACE(latitude);
      const Cells cells(grid, [&](double x, double y) -> Place {
        return {longitude + x * 2e-5, latitude + y * 1e-5};
      });
      const PositionNodes nodes = cells.nodes();
      expect_accurate(nodes, 2100);
      EXPECT_GT(nodes.step, 1u);
    }
  }
}

TEST(PositionNodes, FollowABentGrid) {
  // The grid follows a curved coast, and its rows are closer together towards the shore.
  const Grid grid{60, 40, 0, 0, 1, 1};
  const Cells cells(grid, [](double i, double j) -> Place {
    const double angle = 0.4 + 0.012 * i;
    const double radius = 3 - 0.02 * j - 0.0002 * j * j;
    return {140 + radius * std::cos(angle), 35 + 0.8 * radius * std::sin(angle)};
  });
  const PositionNodes nodes = cells.nodes();
  EXPECT_LE(nodes.position_error, 0.002);
}

TEST(PositionNodes, AcceptTwoByTwoCells) {
  const Cells cells({2, 2, 0, 0, 1000, 1000}, stereographic(10, 50));
  EXPECT_EQ(cells.nodes().map.size(), 8u);
}

TEST(PositionNodes, RejectUnusableGrids) {
  const Grid grid{30, 20, 0, 0, 1000, 1000};
  const Cells folded(grid, [](double x, double y) -> Place {
    return {0.3 * std::abs(x / 30000 - 0.5), 45 + y * 1e-5};
  });
  EXPECT_THROW(folded.nodes(), InputError);
  const Cells globe(grid, [](double x, double y) -> Place {
    return {x / 1000 * 12, -85 + y / 1000 * 8.9};
  });
  EXPECT_THROW(globe.nodes(), InputError);
  Cells gap(grid, stereographic(0, 45));
  gap.latitude[77] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(gap.nodes(), InputError);
}

}  // namespace
}  // namespace tidewise
