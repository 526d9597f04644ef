#include "env/units/geographic_position.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tidewise {
namespace {

/// Longitude and latitude of a grid's cell centres on a plane that is turned and stretched, with
/// its first centre at (`west`, 40).
struct RotatedGrid {
  Grid grid{5, 4, 100.0, 200.0, 10.0, 20.0};
  double west;
  std::vector<double> longitude, latitude;

  explicit RotatedGrid(double first_longitude) : west(first_longitude) {
    for (std::int32_t j = 0; j < grid.ny; ++j) {
      for (std::int32_t i = 0; i < grid.nx; ++i) {
        longitude.push_back(std::remainder(longitude_at(i, j), 360.0));
        latitude.push_back(latitude_at(i, j));
      }
    }
  }
  double longitude_at(double i, double j) const { return west + 0.3 * i - 0.1 * j + 0.01 * i * j; }
  static double latitude_at(double i, double j) { return 40 + 0.1 * i + 0.2 * j; }
};

TEST(GeographicPosition, InvertsTheBilinearField) {
  for (const double west : {-126.0, 179.6}) {  // the second crosses the date line
    const RotatedGrid field(west);
    for (const auto& [i, j] :
         {std::pair{0.0, 0.0}, {1.25, 2.5}, {3.9, 0.1}, {-0.45, 3.4}, {4.4, -0.4}}) {
      // Beyond the outer centres, the bilinear field of the nearest cell continues.
      const double longitude = field.longitude_at(i, j);
      const auto point = to_plane(field.grid, field.longitude, field.latitude, longitude + 360,
                                  RotatedGrid::latitude_at(i, j));
      ASSERT_TRUE(point) << west << " " << i << " " << j;
      EXPECT_NEAR(point->x, 100 + 10 * i, 1e-7);
      EXPECT_NEAR(point->y, 200 + 20 * j, 1e-7);
    }
  }
}

TEST(GeographicPosition, ConvertsBackToTheGlobe) {
  for (const double west : {-126.0, 179.6}) {
    const RotatedGrid field(west);
    for (const auto& [i, j] : {std::pair{0.0, 0.0}, {1.25, 2.5}, {-0.45, 3.4}, {4.4, -0.4}}) {
      const auto position =
          to_globe(field.grid, field.longitude, field.latitude, {100 + 10 * i, 200 + 20 * j});
      EXPECT_NEAR(std::remainder(position.longitude - field.longitude_at(i, j), 360.0), 0, 1e-10);
      EXPECT_LE(std::abs(position.longitude), 180);
      EXPECT_NEAR(position.latitude, RotatedGrid::latitude_at(i, j), 1e-10);
    }
  }
}

/// A metric grid of 7 × 9 cells around (`longitude`, `latitude`), with 100 km per degree.
class MetricGrid {
 public:
  MetricGrid(double cell, double longitude, double latitude)
      : grid_{7, 9, -3 * cell, -4 * cell, cell, cell} {
    for (std::int32_t j = 0; j < grid_.ny; ++j) {
      for (std::int32_t i = 0; i < grid_.nx; ++i) {
        longitude_.push_back(longitude + grid_.x(i) / 1e5);
        latitude_.push_back(latitude + grid_.y(j) / 1e5);
      }
    }
  }
  bool are_degrees(double x, double y, Units units = Units::metric) const {
    return are_likely_degrees(grid_, units, longitude_, latitude_, x, y);
  }

 private:
  Grid grid_;
  std::vector<double> longitude_, latitude_;
};

TEST(GeographicPosition, DetectsDegreesGivenAsMetres) {
  const MetricGrid sea(72000, -17, 42);
  EXPECT_TRUE(sea.are_degrees(-18.5, 41));
  EXPECT_TRUE(sea.are_degrees(-16.9, 42.2)) << "in the cell in the middle, and 22 km from it";
  EXPECT_FALSE(sea.are_degrees(18.5, 41)) << "no place of the domain";
  EXPECT_FALSE(sea.are_degrees(-18500, 41000));
  EXPECT_FALSE(MetricGrid(72000, 0, 0).are_degrees(0, 0)) << "one place by either";
}

TEST(GeographicPosition, DetectsDegreesInABay) {
  const MetricGrid bay(100, -125, 47);
  EXPECT_TRUE(bay.are_degrees(-125.001, 47.002));
  EXPECT_TRUE(bay.are_degrees(-125, 47)) << "its middle";
  EXPECT_FALSE(bay.are_degrees(-125, 46.9)) << "metres that are no degrees of it";
  EXPECT_FALSE(bay.are_degrees(-124, 47));
  EXPECT_FALSE(bay.are_degrees(0, 0));
  // In a domain without units that is hundreds wide, the numbers may be coordinates.
  EXPECT_FALSE(bay.are_degrees(-125, 47, Units::nondimensional));
}

TEST(GeographicPosition, IsNulloptOutsideTheGrid) {
  const RotatedGrid field(-126);
  for (const auto& [i, j] :
       {std::pair{-0.6, 1.0}, {4.6, 1.0}, {2.0, -0.6}, {2.0, 3.6}, {300.0, 80.0}}) {
    EXPECT_FALSE(to_plane(field.grid, field.longitude, field.latitude, field.longitude_at(i, j),
                          RotatedGrid::latitude_at(i, j)))
        << i << " " << j;
  }
  EXPECT_FALSE(to_plane(field.grid, field.longitude, field.latitude, 54, 41));
  const std::vector<double> constant(20, 5.0);
  EXPECT_FALSE(to_plane(field.grid, constant, constant, 5, 5)) << "a field that cannot be inverted";
}

}  // namespace
}  // namespace tidewise
