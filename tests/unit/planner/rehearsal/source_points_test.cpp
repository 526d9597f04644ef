#include "planner/rehearsal/source_points.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tidewise::rehearsal {
namespace {

/// A grid of points 1° apart, from 178° E to 178° W and from 40° to 42° N.
ingest::SourceGrid across_180() {
  ingest::SourceGrid grid;
  grid.longitude = {178, 179, 180, 181, 182};
  grid.latitude = {40, 41, 42};
  return grid;
}

/// Points around the north pole, 100 km apart on a plane that touches it there, turned by 30°.
ingest::SourceGrid around_the_pole() {
  ingest::SourceGrid grid;
  auto& points = grid.points.emplace();
  points.rows = 9;
  points.columns = 8;
  for (std::size_t row = 0; row < points.rows; ++row) {
    for (std::size_t column = 0; column < points.columns; ++column) {
      const double x = (static_cast<double>(column) - 3.3) * 100 / 6371;
      const double y = (static_cast<double>(row) - 4.2) * 100 / 6371;
      const double turn = 30 * radians_per_degree;
      const double a = x * std::cos(turn) - y * std::sin(turn);
      const double b = x * std::sin(turn) + y * std::cos(turn);
      const GeographicPoint position = place_at(normalized({a, b, 1}));
      points.longitude.push_back(position.longitude);
      points.latitude.push_back(position.latitude);
    }
  }
  return grid;
}

TEST(SourcePoints, FindTheFourPointsAroundAPosition) {
  const SourcePoints points(across_180());
  Corners corners;
  for (const double offset : {0.0, -360.0}) {
    const auto found = points.locate(up_at({181.25 + offset, 40.5}), corners);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->point, (std::array<std::size_t, 4>{3, 4, 8, 9}));
    EXPECT_NEAR(found->across, 0.25, 1e-9);
    EXPECT_NEAR(found->along, 0.5, 1e-9);
    EXPECT_NEAR(found->weights()[0], 0.375, 1e-9);
  }
  EXPECT_TRUE(points.locate(up_at({-178, 42}), corners));  // the last point itself
  EXPECT_FALSE(points.locate(up_at({177.9, 41}), corners));
  EXPECT_FALSE(points.locate(up_at({180, 42.1}), corners));
  EXPECT_EQ(points.deciding(*points.locate(up_at({178.6, 41.7}), corners)), 11U);
}

/// A position is the weighted mean of its corners in its tangent plane, also at a pole, and for any
/// corners that were found before.
TEST(SourcePoints, FindQuadrilateralsAroundAPole) {
  const ingest::SourceGrid grid = around_the_pole();
  const SourcePoints points(grid);
  Corners corners;
  for (const GeographicPoint position :
       {GeographicPoint{0, 90}, {17, 89.5}, {-163, 89.4}, {90, 88.1}, {-90, 87.5}, {179.9, 88.7}}) {
    const Vector up = up_at(position);
    const auto found = points.locate(up, corners);
    ASSERT_TRUE(found) << position.longitude << " " << position.latitude;
    Vector sum;
    for (std::size_t n = 0; n < 4; ++n) {
      const Vector corner = points.up(found->point[n]);
      sum = sum + found->weights()[n] / dot(up, corner) * corner;
    }
    EXPECT_NEAR(dot(normalized(sum), up), 1, 1e-14);
    EXPECT_NEAR(dot(sum, east_at(up)), 0, 1e-11);
    EXPECT_NEAR(dot(sum, north_at(up)), 0, 1e-11);
    EXPECT_EQ(found->point[1], found->point[0] + 1);
    EXPECT_EQ(found->point[2], found->point[0] + 8);
  }
  for (const GeographicPoint position : {GeographicPoint{0, 80}, {120, 0}, {0, -90}}) {
    EXPECT_FALSE(points.locate(up_at(position), corners))
        << position.longitude << " " << position.latitude;
  }
}

TEST(SourcePoints, RejectPlacesNextToMissingPoints) {
  ingest::SourceGrid grid = around_the_pole();
  grid.points->longitude[3 * 8 + 2] = std::nan("");
  const SourcePoints points(grid);
  const auto middle_of = [&](std::size_t row, std::size_t column) {
    const auto up = [&](std::size_t n) { return up_at(grid.points->place(n)); };
    const std::size_t first = row * 8 + column;
    return normalized(up(first) + up(first + 1) + up(first + 8) + up(first + 9));
  };
  Corners corners;
  EXPECT_FALSE(points.locate(
      normalized(up_at(grid.points->place(3 * 8 + 3)) + 0.5 * up_at(grid.points->place(4 * 8 + 2))),
      corners));
  const auto adjacent = points.locate(middle_of(5, 4), corners);
  ASSERT_TRUE(adjacent);
  EXPECT_NEAR(adjacent->across, 0.5, 1e-3);
  EXPECT_NEAR(adjacent->along, 0.5, 1e-3);
}

}  // namespace
}  // namespace tidewise::rehearsal
