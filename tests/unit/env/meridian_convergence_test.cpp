#include "env/units/meridian_convergence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tidewise {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double earth = 6371000;  // [m]

/// The oblique stereographic projection of the sphere, by the closed forms of Snyder, Map
/// Projections: A Working Manual (USGS 1987), pages 157 to 159.
struct Stereographic {
  double longitude;  // of the centre [degrees]
  double latitude;

  struct Point {
    double longitude, latitude;  // [degrees]
  };
  Point inverse(double x, double y) const {
    const double rho = std::hypot(x, y);
    if (rho == 0) return {longitude, latitude};
    const double c = 2 * std::atan(rho / (2 * earth));
    const double phi = latitude * degree;
    const double lat =
        std::asin(std::cos(c) * std::sin(phi) + y * std::sin(c) * std::cos(phi) / rho);
    const double lon = std::atan2(
        x * std::sin(c), rho * std::cos(phi) * std::cos(c) - y * std::sin(phi) * std::sin(c));
    return {std::remainder(longitude + lon / degree, 360.0), lat / degree};
  }
  /// Returns the convergence at a point of the globe [degrees], from the forward formulas.
  double convergence(Point point) const {
    const double d = (point.longitude - longitude) * degree;
    const double phi = point.latitude * degree;
    const double centre = latitude * degree;
    return std::atan2(std::sin(d) * (std::sin(phi) + std::sin(centre)),
                      std::cos(phi) * std::cos(centre) +
                          (1 + std::sin(phi) * std::sin(centre)) * std::cos(d)) /
           degree;
  }
};

struct Globe {
  Grid grid;
  std::vector<double> longitude, latitude;

  Globe(const Stereographic& plane, std::int32_t nx, std::int32_t ny, double dx, double dy)
      : grid{nx, ny, -0.4 * nx * dx, -0.6 * ny * dy, dx, dy} {
    for (std::int32_t j = 0; j < ny; ++j) {
      for (std::int32_t i = 0; i < nx; ++i) {
        const auto point = plane.inverse(grid.x(i), grid.y(j));
        longitude.push_back(point.longitude);
        latitude.push_back(point.latitude);
      }
    }
  }
};

/// Checks the closed form against the projection: it must be the direction of the meridian.
TEST(MeridianConvergence, MatchesAClosedForm) {
  const Stereographic plane{-125.5, 48};
  const auto point = plane.inverse(-300000, 200000);
  // The direction on the sphere to a point 10 m further along +y is the bearing of +y.
  const auto further = plane.inverse(-300000, 200010);
  const double east = (further.longitude - point.longitude) * std::cos(point.latitude * degree);
  const double north = further.latitude - point.latitude;
  EXPECT_NEAR(plane.convergence(point), std::atan2(east, north) / degree, 1e-4);
  EXPECT_LT(plane.convergence(point), -2);
}

TEST(MeridianConvergence, MatchesTheObliqueStereographicPlaneEverywhere) {
  const Stereographic planes[]{{-125.5, 48},   // Washington
                               {179.9, -17},   // across the date line, in the south
                               {30, 89.7},     // the pole lies in the grid
                               {-70, -89.95},  // the south pole lies in the grid
                               {12, 0}};
  for (const auto& plane : planes) {
    for (const double spacing : {3000.0, 25000.0}) {
      const Globe globe(plane, 40, 31, spacing, 0.8 * spacing);
      const MeridianConvergence convergence(globe.grid, globe.longitude, globe.latitude);
      const auto cells = convergence.at_cells();
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const double expected = plane.convergence({globe.longitude[cell], globe.latitude[cell]});
        ASSERT_NEAR(std::remainder(cells[cell] - expected, 360.0), 0, 0.01)
            << plane.latitude << " " << spacing << " cell " << cell;
      }
      for (const auto& [i, j] : {std::pair{0.0, 0.0}, {0.4, 30.0}, {15.9, 18.3}, {38.7, 12.5}}) {
        const double x = globe.grid.x_first + i * globe.grid.dx;
        const double y = globe.grid.y_first + j * globe.grid.dy;
        const double expected = plane.convergence(plane.inverse(x, y));
        EXPECT_NEAR(std::remainder(convergence.at(x, y) - expected, 360.0), 0, 0.01)
            << plane.latitude << " " << spacing << " " << i << " " << j;
      }
    }
  }
}

TEST(MeridianConvergence, IsZeroIfLongitudeIsX) {
  const Grid grid{2, 3, 0, 0, 1000, 2000};
  const std::vector<double> longitude{179, -179, 179, -179, 179, -179};
  const std::vector<double> latitude{60, 60, 61, 61, 62, 62};
  for (const double angle : MeridianConvergence(grid, longitude, latitude).at_cells()) {
    EXPECT_NEAR(angle, 0, 1e-12);
  }
}

TEST(MeridianConvergence, ConvertsHeadingsToBearings) {
  constexpr double quarter_turn = std::numbers::pi / 2;
  EXPECT_EQ(true_bearing(quarter_turn, 0), 0) << "along +y, where that is north";
  EXPECT_EQ(true_bearing(0, 0), 90);
  EXPECT_NEAR(true_bearing(2 * quarter_turn, 0), 270, 1e-12);
  EXPECT_NEAR(true_bearing(quarter_turn, 3.5), 3.5, 1e-12) << "+y points 3.5 degrees east of north";
  EXPECT_NEAR(true_bearing(quarter_turn, -3.5), 356.5, 1e-12);
  EXPECT_EQ(true_bearing(quarter_turn, -1e-15), 0) << "never 360";
  EXPECT_NEAR(true_bearing(4 * quarter_turn, 180), 270, 1e-12);
}

}  // namespace
}  // namespace tidewise
