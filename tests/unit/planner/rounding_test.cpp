// Digits of reported times follow their standard errors.

#include "planner/figures/rounding.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tidewise {
namespace {

constexpr double hour = 3600;

TEST(Rounding, StepIsTheGreatestWithinTheStandardError) {
  EXPECT_EQ(rounding_step(0.2, Units::metric), 1);
  EXPECT_EQ(rounding_step(59, Units::metric), 10);
  EXPECT_EQ(rounding_step(29 * 60, Units::metric), 600);
  EXPECT_EQ(rounding_step(2.9 * hour, Units::metric), hour);
  EXPECT_EQ(rounding_step(100 * hour, Units::metric), 12 * hour);
  EXPECT_DOUBLE_EQ(rounding_step(0.99, Units::nondimensional), 0.1);
  EXPECT_DOUBLE_EQ(rounding_step(1, Units::nondimensional), 1);
  EXPECT_DOUBLE_EQ(rounding_step(99, Units::nondimensional), 10);
}

TEST(Rounding, IsCoarserForQuantilesThanForMeans) {
  const TimeRounding rounding = round_times(50 * 60, 3 * hour, Units::metric);
  EXPECT_EQ(rounding.mean, 1800);
  EXPECT_EQ(rounding.median, hour);
  EXPECT_EQ(rounding.quantile, hour);
  EXPECT_EQ(round_times(2 * hour, 3 * hour, Units::metric).quantile, 3 * hour);
}

/// Three members that arrive within two hours have a standard error of half an hour or more.
TEST(Rounding, OfFewFlightsOmitsMinutes) {
  RolloutStatistics flown;
  EnvironmentInfo info;
  info.units = Units::metric;
  info.time.step = 3 * hour;
  flown.time_standard_error = 2 * hour / std::sqrt(3);
  EXPECT_EQ(round_times(flown, info).median, hour);
  // Without forecast errors, differences between realizations are not errors.
  flown.has_probability = false;
  flown.time_standard_error = 60;
  EXPECT_EQ(round_times(flown, info).median, hour);
}

TEST(Rounding, WithoutSpreadIsHalfATimeStep) {
  for (const double no_spread : {0.0, std::nan("")}) {
    EXPECT_EQ(round_times(no_spread, 3 * hour, Units::metric).median, hour);
    EXPECT_EQ(round_times(no_spread, 1200, Units::metric).quantile, 600);
    EXPECT_DOUBLE_EQ(round_times(no_spread, 1, Units::nondimensional).median, 0.1);
  }
}

TEST(Rounding, ShowsNoMoreDigitsThanItsStep) {
  EXPECT_EQ(describe_duration(98.6 * hour, Units::metric, hour), "99 h");
  EXPECT_EQ(describe_duration(98.6 * hour, Units::metric, 1800), "98.5 h");
  EXPECT_EQ(describe_duration(98.6 * hour, Units::metric, 3 * hour), "99 h");
  EXPECT_EQ(describe_duration(46 * 60, Units::metric, 300), "45 min");
  EXPECT_EQ(describe_duration(44, Units::metric, 10), "40 s");
  EXPECT_EQ(describe_duration(600, Units::metric, hour), "less than 1 h");
  EXPECT_EQ(describe_duration(0, Units::metric, hour), "0 h");
  EXPECT_EQ(describe_duration(65.86, Units::nondimensional, 1), "66");
  EXPECT_EQ(describe_duration(65.86, Units::nondimensional, 0.1), "65.9");
  EXPECT_EQ(describe_duration(0.03, Units::nondimensional, 0.1), "less than 0.1");
  EXPECT_EQ(describe_duration(std::nan(""), Units::metric, hour), "–");
}

TEST(Rounding, OfProbabilitiesFollowsTheFlights) {
  EXPECT_EQ(describe_chance(0.98517, 200), "98.5 %");
  EXPECT_EQ(describe_chance(2.0 / 3, 3), "70 %");
  EXPECT_EQ(describe_chance(0.98517, 5000), "98.5 %");
  EXPECT_EQ(describe_chance(1, 100), "over 97 %");
  EXPECT_EQ(describe_chance(1, 5000), "over 99.94 %");
  EXPECT_EQ(describe_chance(1, 3), "over 30 %");
  EXPECT_EQ(describe_chance(1, 1), "over 5 %");
  EXPECT_EQ(describe_chance(0, 100), "less than 3 %");
  EXPECT_EQ(describe_chance(1, 0), "100 %");
  EXPECT_EQ(describe_chance(0, 3), "less than 70 %");
  EXPECT_EQ(describe_chance(0.9999, 5000), "99.99 %");
  EXPECT_EQ(describe_chance(0.96, 4), "over 40 %");
}

}  // namespace
}  // namespace tidewise
