// The region that contains most flights.

#include "output/view/flight_density.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tidewise {
namespace {

const Grid grid{60, 50, 100, 200, 2, 4};
const TimeAxis hours{10, 0, 3600};

/// Flights with points at levels 2, 3 and 4, where they end. Each stays at one position.
FlightsView flights_at(const std::vector<PlanePoint>& points) {
  FlightsView flights;
  flights.max_points = 3;
  for (std::size_t n = 0; n < points.size(); ++n) {
    flights.end_time.push_back(4 * 3600);
    flights.outcome.push_back(0);
    flights.realization.push_back(static_cast<std::int32_t>(n));
    flights.drawn.push_back(static_cast<std::int32_t>(n));
    flights.point_count.push_back(3);
    for (int m = 0; m < 3; ++m) {
      flights.x.push_back(points[n].x);
      flights.y.push_back(points[n].y);
    }
  }
  return flights;
}

/// Bilinear interpolation of a field, computed independently.
double interpolate(const std::vector<float>& field, const PlanePoint& point) {
  double sum = 0;
  for (std::int32_t j = 0; j < grid.ny; ++j) {
    for (std::int32_t i = 0; i < grid.nx; ++i) {
      const double x = 1 - std::abs(point.x - grid.x_first - i * grid.dx) / grid.dx;
      const double y = 1 - std::abs(point.y - grid.y_first - j * grid.dy) / grid.dy;
      if (x > 0 && y > 0) {
        sum += x * y * static_cast<double>(field[static_cast<std::size_t>(grid.cell(i, j).value)]);
      }
    }
  }
  return sum;
}

std::vector<PlanePoint> cloud(std::size_t count) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<PlanePoint> points;
  for (std::size_t n = 0; n < count; ++n) {
    points.push_back({160 + 8 * normal(random), 300 + 12 * normal(random)});
  }
  return points;
}

TEST(FlightDensity, ContainsNineInTenFlightsUnderWay) {
  for (const std::size_t count : {10U, 57U, 400U}) {
    const auto points = cloud(count);
    const FlightsView flights = flights_at(points);
    const auto field = FlightDensity(grid, hours, flights, TimeLevel(2)).at(TimeLevel(3));
    std::size_t within = 0;
    for (const PlanePoint& point : points) within += interpolate(field, point) >= 1 - 1e-5 ? 1 : 0;
    EXPECT_EQ(within, static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(count))));
  }
}

TEST(FlightDensity, IsNearlyAnEllipseForANormalCloud) {
  const FlightsView flights = flights_at(cloud(4000));
  const auto field = FlightDensity(grid, hours, flights, TimeLevel(2)).at(TimeLevel(2));
  double area = 0;
  for (const float value : field) area += value >= 1 ? grid.dx * grid.dy : 0;
  // exp(−r²/2) = 0.1 on its rim.
  const double ellipse = 3.14159265 * 8 * 12 * 2 * std::log(10.0);
  EXPECT_NEAR(area / ellipse, 1, 0.08);
}

TEST(FlightDensity, CountsWeightsOfFlightsUnderWay) {
  // More than nine tenths of the weight are in the west.
  FlightsView flights = flights_at({{140, 300}, {200, 300}, {200, 300}});
  flights.weight = {0.92F, 0.04F, 0.04F};
  const FlightDensity density(grid, hours, flights, TimeLevel(2));
  const auto field = density.at(TimeLevel(2));
  EXPECT_GE(interpolate(field, {140, 300}), 1 - 1e-5);
  EXPECT_LT(interpolate(field, {200, 300}), 1);
  for (const TimeLevel k : {TimeLevel(1), TimeLevel(4), TimeLevel(5)}) {
    const auto empty = density.at(k);
    EXPECT_EQ(*std::max_element(empty.begin(), empty.end()), 0) << k.value;
  }
}

}  // namespace
}  // namespace tidewise
