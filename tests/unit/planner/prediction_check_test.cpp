#include "planner/run/prediction_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/ocean/environment_builder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Case {
  double predicted, predicted_time;
  double rate, flights;
  double time, error;
};

std::string validate(const Case& c, std::int32_t realizations = 1000000,
                     LandingBy landing = LandingBy::area) {
  ExpectedOutcome expected;
  expected.arrival_probability = c.predicted;
  expected.time = c.predicted_time;
  RolloutStatistics flown;
  flown.trajectories = static_cast<std::int64_t>(c.flights);
  flown.arrival_rate = c.rate;
  flown.effective_flights = c.flights;
  flown.time.mean = c.time;
  flown.time_standard_error = c.error;
  return validate_prediction(expected, flown, Mission(), landing,
                             test::plain_info(3, 3, 2, 1, realizations));
}

/// Validates energies that time does not determine; the prediction is 12 spent and 10 harvested.
std::string validate_energy(Objective objective, double spent, double net, double error = 0.01) {
  ExpectedOutcome expected{.arrival_probability = 1, .time = 50, .energy = 12, .net_energy = 2};
  RolloutStatistics flown;
  flown.trajectories = 9;
  flown.arrival_rate = 1;
  flown.effective_flights = 9;
  flown.time.mean = 50;
  flown.energy.mean = spent;
  flown.net_energy.mean = net;
  flown.energy_standard_error = error;
  flown.net_energy_standard_error = error;
  Mission mission;
  mission.objective = objective;
  return validate_prediction(expected, flown, mission, LandingBy::area,
                             test::plain_info(3, 3, 2, 1, 1000000));
}

TEST(PredictionCheck, AgreesWithinSamplingError) {
  EXPECT_EQ(validate({1, 50, 1, 9, 50.9, 0.1}), "") << "less than 3 %";
  EXPECT_EQ(validate({1, 50, 1, 9, 55, 2}), "") << "less than 3 standard errors";
  EXPECT_EQ(validate({0.9, 50, 0.7, 9, 50, 1}), "") << "3 of 10 errors of 0.1";
  EXPECT_EQ(validate({0.99, 50, 0.975, 100000, 50, 1}), "") << "less than 2 points";
  EXPECT_EQ(validate({0, nan, 0, 9, nan, nan}), "") << "no flight arrives, as predicted";
  EXPECT_EQ(validate({1, 50, 1, 1, 70, nan}), "") << "one flight of several realizations";
  EXPECT_EQ(validate({1 + 1e-12, 50, 1, 9, 50, 1}), "");
}

TEST(PredictionCheck, WarnsWithBothFigures) {
  const std::string no_arrivals = validate({1, 50, 0, 9, nan, nan});
  EXPECT_THAT(no_arrivals, HasSubstr("100 % arrive after 50; simulated 0 % of 9 arrive;"));
  EXPECT_THAT(validate({1, 50, 2.0 / 3, 9, 50, 1}), HasSubstr("66.7 % of 9 arrive"))
      << "of certainty";
  EXPECT_NE(validate({0.9, 50, 0.5, 100, 50, 1}), "");
  EXPECT_NE(validate({0.5, 50, 0.9, 100, 50, 1}), "") << "better than predicted is otherwise, too";
  EXPECT_THAT(validate({1, 50, 1, 9, 57, 2}), HasSubstr("100 % of 9 arrive after 57"));
  EXPECT_NE(validate({1, 50, 1, 1, 70, nan}, 1), "") << "a certain flow has no sampling error";
}

TEST(PredictionCheck, WarnsWithoutTracks) {
  const Case broken{1, 50, 0, 9, nan, nan};
  const std::string by_cell = validate(broken, 9, LandingBy::cell);
  EXPECT_THAT(by_cell,
              HasSubstr("use the simulated figures, and plan with planner.landing = \"area\""));
  const std::string by_area = validate(broken, 9, LandingBy::area);
  EXPECT_EQ(by_area,
            "prediction and simulation differ: predicted 100 % arrive after 50; simulated 0 % "
            "of 9 arrive; use the simulated figures (docs/trust/accuracy.md)");
}

TEST(PredictionCheck, ExpectsNoSamplingErrorWithAllRealizations) {
  EXPECT_NE(validate({1, 50, 1, 9, 55, 2}, 9), "");
  EXPECT_NE(validate({0.9, 50, 0.87, 9, 50, 1}, 9), "");
  EXPECT_EQ(validate({1, 50, 1, 9, 51.4, 0.1}, 9), "") << "less than 3 %";
  EXPECT_EQ(validate({0.9, 50, 0.89, 9, 50, 1}, 9), "") << "less than 2 points";
}

TEST(PredictionCheck, ComparesWhatTheObjectiveCounts) {
  EXPECT_EQ(validate_energy(Objective::time, 24, 14), "") << "energy is not part of the objective";
  EXPECT_EQ(validate_energy(Objective::energy, 12.3, 2), "") << "less than 3 %";
  EXPECT_EQ(validate_energy(Objective::energy, 13, 2, 0.4), "") << "less than 3 standard errors";
  EXPECT_THAT(validate_energy(Objective::energy, 13, 2),
              HasSubstr("100 % arrive after 50 with energy 12; simulated 100 % of 9 arrive "
                        "after 50 with energy 13;"));
  EXPECT_NE(validate_energy(Objective::weighted, 11, 2), "");
  EXPECT_EQ(validate_energy(Objective::net_energy, 24, 2), "");
  EXPECT_EQ(validate_energy(Objective::net_energy, 12, 2.3), "") << "3 % of what is spent: 0.36";
  EXPECT_THAT(validate_energy(Objective::net_energy, 12, 2.4),
              HasSubstr("with net energy 2; simulated 100 % of 9 arrive after 50 with net "
                        "energy 2.4;"));
}

TEST(PredictionCheck, DifferenceIsInTimeOrElseInArrivals) {
  const auto later = [](double arrivals, double time) {
    RolloutStatistics flown;
    flown.arrival_rate = arrivals;
    flown.time.mean = time;
    return later_by({.arrival_probability = 0.9, .time = 55}, flown);
  };
  EXPECT_NEAR(later(0.5, 50), 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(later(0.5, 54), 0.5 - 0.9) << "times within 3 % agree";
  EXPECT_DOUBLE_EQ(later(0, nan), -0.9) << "no flight arrives";
}

}  // namespace
}  // namespace tidewise
