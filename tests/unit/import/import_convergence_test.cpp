#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "env/import/grid/local_plane.h"
#include "env/units/meridian_convergence.h"

namespace tidewise::ingest {
namespace {

/// The convergence from longitude and latitude only must equal PROJ's on the ellipsoid.
TEST(ImportConvergence, MatchesThatOfTheProjection) {
  for (const auto& [centre, pyproj_value] : {std::pair{GeographicPoint{-125.5, 48}, 3.917944},
                                             {GeographicPoint{179.5, -17}, 0.0},
                                             {GeographicPoint{30, 89}, 0.0}}) {
    const LocalPlane plane(centre);
    const Grid grid{60, 50, -300000, -200000, 12000, 12000};
    std::vector<double> longitude;
    std::vector<double> latitude;
    for (std::int32_t cell = 0; cell < grid.cell_count(); ++cell) {
      const CellIndex c(cell);
      const auto point = plane.to_geographic({grid.x(grid.column(c)), grid.y(grid.row(c))});
      longitude.push_back(point.longitude);
      latitude.push_back(point.latitude);
    }
    const MeridianConvergence convergence(grid, longitude, latitude);
    for (const auto& [x, y] : {std::pair{-299000.0, 1000.0}, {0.0, 0.0}, {123456.0, 234567.0}}) {
      const PlanePoint north = plane.north_at(plane.to_geographic({x, y}));
      const double expected = -std::atan2(north.x, north.y) * 180 / std::numbers::pi;
      EXPECT_NEAR(std::remainder(convergence.at(x, y) - expected, 360.0), 0, 0.01)
          << centre.latitude << " " << x << " " << y;
    }
    // pyproj 3.7.2, get_factors(-120.3, 50.1).meridian_convergence.
    if (pyproj_value != 0) {
      const PlanePoint known_point = plane.to_plane({-120.3, 50.1});
      EXPECT_NEAR(convergence.at(known_point.x, known_point.y), pyproj_value, 0.01);
    }
  }
}

}  // namespace
}  // namespace tidewise::ingest
