// Regions of the next surfacing contain the vehicle with their probability, for any distribution of
// positions.
#include "solver/fly/surfacing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "support/ocean/environment_builder.h"

namespace tidewise {
namespace {

EnvironmentInfo info() { return test::plain_info(20, 20, 11, 1, 3); }

// Flights that are at these positions after one step, each in a different realization.
RolloutResult flights_to(const std::vector<PlanePoint>& positions) {
  RolloutResult flights;
  for (std::size_t n = 0; n < positions.size(); ++n) {
    Trajectory flight;
    flight.realization = static_cast<std::int32_t>(n);
    flight.points.resize(3);
    flight.points[1].x = positions[n].x;
    flight.points[1].y = positions[n].y;
    flight.points[2].x = 2 * positions[n].x;
    flight.points[2].y = 2 * positions[n].y;
    flights.trajectories.push_back(flight);
  }
  return flights;
}

bool contains(const SurfacingRegion& region, const SurfacingEllipse& ellipse, PlanePoint position) {
  const double x = position.x - region.centre.x;
  const double y = position.y - region.centre.y;
  const double along = x * std::cos(region.angle) + y * std::sin(region.angle);
  const double across = y * std::cos(region.angle) - x * std::sin(region.angle);
  return std::pow(along / ellipse.semi_major, 2) + std::pow(across / ellipse.semi_minor, 2) <= 1;
}

using Draw = std::function<PlanePoint(std::mt19937_64&)>;

PlanePoint stretched(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double a = normal(random);
  const double b = normal(random);
  return {3 + 2 * a + 0.5 * b, -1 + a - 0.3 * b};
}

// A curved, asymmetric cloud, far from a normal distribution.
PlanePoint bent(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double a = normal(random);
  return {std::exp(0.6 * a), a * a + 0.2 * normal(random)};
}

// Share of trials [%] in which a region contains a vehicle drawn from the flights' distribution.
struct Coverage {
  double within_50 = 0;
  double within_90 = 0;
};
Coverage coverage(std::size_t count, const Draw& draw, std::size_t trials) {
  std::mt19937_64 random(7);
  Coverage found;
  for (std::size_t n = 0; n < trials; ++n) {
    std::vector<PlanePoint> positions;
    for (std::size_t m = 0; m < count; ++m) positions.push_back(draw(random));
    const auto region = find_surfacing(flights_to(positions), info(), 1);
    const PlanePoint truth = draw(random);
    found.within_50 += contains(*region, region->within_50, truth) ? 1 : 0;
    found.within_90 += contains(*region, region->within_90, truth) ? 1 : 0;
  }
  found.within_50 *= 100.0 / static_cast<double>(trials);
  found.within_90 *= 100.0 / static_cast<double>(trials);
  return found;
}

TEST(Surfacing, CoversThePredictedShareOfPositions) {
  struct Case {
    std::size_t flights;
    Draw draw;
  };
  // With fewer than 40 flights the region assumes a normal distribution.
  for (const Case& trial :
       {Case{6, stretched}, Case{9, stretched}, Case{20, stretched}, Case{40, stretched},
        Case{100, stretched}, Case{40, bent}, Case{100, bent}, Case{400, bent}}) {
    const Coverage found = coverage(trial.flights, trial.draw, trial.flights > 200 ? 8000 : 20000);
    EXPECT_GT(found.within_50, 48) << trial.flights;
    EXPECT_LT(found.within_50, 52) << trial.flights;
    EXPECT_GT(found.within_90, 88) << trial.flights;
    EXPECT_LT(found.within_90, 92) << trial.flights;
    RecordProperty("half_of_" + std::to_string(trial.flights), std::to_string(found.within_50));
  }
}

TEST(Surfacing, IsAnEllipseAroundTheMeanPosition) {
  // Four positions on the axes of an ellipse at 30°, each twice, and the centre. The variance along
  // the long axis is 2 · 2 · 4² / 8 = 8, along the short one 2 · 2 · 1 / 8 = 0.5.
  std::vector<PlanePoint> positions(1, {5, 6});
  const double angle = 3.14159265358979 / 6;
  for (const double sign : {-1.0, 1.0}) {
    for (int twice = 0; twice < 2; ++twice) {
      positions.push_back({5 + 4 * sign * std::cos(angle), 6 + 4 * sign * std::sin(angle)});
      positions.push_back({5 - sign * std::sin(angle), 6 + sign * std::cos(angle)});
    }
  }
  const auto region = find_surfacing(flights_to(positions), info(), 1);
  ASSERT_TRUE(region.has_value());
  EXPECT_NEAR(region->centre.x, 5, 1e-9);
  EXPECT_NEAR(region->centre.y, 6, 1e-9);
  EXPECT_NEAR(region->angle, angle, 1e-6);
  EXPECT_NEAR(region->within_50.semi_major / region->within_50.semi_minor, 4, 1e-6);
  // T² of nine positions: 8 · 10 / 9 · (0.5^(−2/7) − 1).
  EXPECT_NEAR(region->within_50.semi_major, std::sqrt(8 * 80.0 / 9 * (std::pow(0.5, -2.0 / 7) - 1)),
              1e-5);
  EXPECT_EQ(region->flights, 9u);
  // After half a step it is half as far.
  const auto halfway = find_surfacing(flights_to(positions), info(), 0.5);
  EXPECT_NEAR(halfway->centre.x, 2.5, 1e-9);
  // After two and a half steps all flights have ended.
  EXPECT_EQ(find_surfacing(flights_to(positions), info(), 2.5)->ended, 1);
  EXPECT_EQ(region->ended, 0);
  positions.resize(4);
  EXPECT_FALSE(find_surfacing(flights_to(positions), info(), 1).has_value());
}

TEST(Surfacing, WeightsFlightsAndGivesALineSomeWidth) {
  std::vector<PlanePoint> positions;
  for (int n = 0; n < 10; ++n) positions.push_back({1.0 * n, 2.0});
  EnvironmentInfo weighted = info();
  weighted.realization_weight = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  const auto region = find_surfacing(flights_to(positions), weighted, 1);
  ASSERT_TRUE(region.has_value());
  EXPECT_NEAR(region->centre.x, 6, 1e-9);
  EXPECT_EQ(region->flights, 7u);
  EXPECT_GT(region->within_50.semi_minor, 0);
  EXPECT_LT(region->within_50.semi_minor, 1e-3);
}

}  // namespace
}  // namespace tidewise
