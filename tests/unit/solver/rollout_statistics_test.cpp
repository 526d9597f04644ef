#include "solver/fly/rollout_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/fly/arrival_quantiles.h"
#include "support/ocean/environment_builder.h"

namespace tidewise {
namespace {

Trajectory flight(std::int32_t realization, TrajectoryOutcome outcome, std::size_t points,
                  double reward, float energy = 0, float harvested = 0) {
  Trajectory trajectory{realization, outcome, reward, {}};
  trajectory.points.resize(points);
  trajectory.points.back().energy = energy;
  trajectory.points.back().harvested = harvested;
  return trajectory;
}

RolloutResult four_flights() {
  return {RolloutMode::continuous,
          TimeLevel(0),
          {flight(0, TrajectoryOutcome::arrived, 3, 98, 4, 1),
           flight(1, TrajectoryOutcome::arrived, 5, 96, 8, 16),
           flight(2, TrajectoryOutcome::obstacle, 2, -1000, 99),
           flight(3, TrajectoryOutcome::arrived, 4, 97, 6)}};
}

TEST(RolloutStatistics, SummarizesEqualFlights) {
  auto info = test::plain_info(3, 3, 9, 1, 4);
  info.time.step = 10;
  const auto s = summarize(four_flights(), info);
  EXPECT_EQ(s.trajectories, 4);
  EXPECT_EQ(s.arrival_rate, 0.75);
  EXPECT_EQ(s.time.mean, 30);
  EXPECT_EQ(s.time.min, 20);
  EXPECT_EQ(s.time.max, 40);
  EXPECT_EQ(s.time.p05, 20);
  EXPECT_EQ(s.time.p50, 30);
  EXPECT_EQ(s.time.p95, 40);
  EXPECT_EQ(s.energy.mean, 6);
  EXPECT_EQ(s.net_energy.min, -8);
  EXPECT_EQ(s.net_energy.p50, 3);
  EXPECT_EQ(s.failures.obstacle, 1);
  EXPECT_EQ(s.failures.out_of_domain, 0);
  EXPECT_EQ(s.failures.out_of_time, 0);
  const double mean = (98.0 + 96 - 1000 + 97) / 4;
  EXPECT_DOUBLE_EQ(s.mean_total_reward, mean);
  double squares = 0;
  for (const double reward : {98, 96, -1000, 97}) squares += (reward - mean) * (reward - mean);
  EXPECT_NEAR(s.standard_error, std::sqrt(squares / 3 / 4), 1e-12);
  EXPECT_NEAR(s.time_standard_error, 10 / std::sqrt(3), 1e-12) << "of 20, 30 and 40";
  EXPECT_NEAR(s.energy_standard_error, 2 / std::sqrt(3), 1e-12) << "of 4, 8 and 6";
  EXPECT_NEAR(s.net_energy_standard_error, std::sqrt((109 - 1.0 / 3) / 6), 1e-12)
      << "of 3, -8 and 6";
  EXPECT_DOUBLE_EQ(s.effective_flights, 4);
}

TEST(ArrivalQuantiles, CoverAllFlightsAndArrivingFlights) {
  auto info = test::plain_info(3, 3, 9, 1, 4);
  info.time.step = 10;
  const double never = std::numeric_limits<double>::infinity();
  auto found = arrival_quantiles(four_flights(), info);
  EXPECT_EQ(found.probability, 0.75);
  EXPECT_EQ(found.all, (ArrivalTimes{20, 20, 20, 30, 40, never, never}));
  EXPECT_EQ(found.arriving, (ArrivalTimes{20, 20, 20, 30, 40, 40, 40}));
  info.realization_weight = {1, 2, 0, 1};
  found = arrival_quantiles(four_flights(), info);
  EXPECT_EQ(found.probability, 1);
  EXPECT_EQ(found.all, (ArrivalTimes{20, 20, 20, 30, 40, 40, 40}));
  info.realization_weight = {0, 0, 1, 0};
  found = arrival_quantiles(four_flights(), info);
  EXPECT_EQ(found.probability, 0);
  EXPECT_EQ(found.all[0], never);
  EXPECT_TRUE(std::isnan(found.arriving[0]));
}

// The mission has twenty steps of 10. Its flights are inside for 10, 160 and 0; the third fails.
TEST(RolloutStatistics, MeasuresStationKeeping) {
  auto info = test::plain_info(3, 3, 21, 1, 4);
  info.time.step = 10;
  Mission mission;
  mission.objective = Objective::stay;
  mission.kept.emplace();
  mission.last = TimeLevel(20);
  RolloutResult flown{RolloutMode::continuous,
                      TimeLevel(0),
                      {flight(0, TrajectoryOutcome::out_of_time, 21, 10, 4, 10),
                       flight(1, TrajectoryOutcome::out_of_time, 21, 160, 8, 160),
                       flight(2, TrajectoryOutcome::obstacle, 11, -1000, 9, 0)}};
  auto s = summarize(flown, info);
  EXPECT_EQ(s.failures.out_of_time, 2);
  set_keeping(flight_ends(flown, info.time), flown.mode, mission, info, s);
  EXPECT_EQ(s.failures.out_of_time, 0) << "a flight that lasts has not failed";
  EXPECT_EQ(s.failures.obstacle, 1);
  ASSERT_TRUE(s.keeping.has_value());
  EXPECT_FALSE(s.keeping->is_distance);
  EXPECT_DOUBLE_EQ(s.keeping->mean, (0.05 + 0.8) / 3);
  EXPECT_EQ(s.keeping->p10, 0);
  EXPECT_EQ(s.keeping->p50, 0.05);
  EXPECT_EQ(s.keeping->p90, 0.8);
  EXPECT_DOUBLE_EQ(s.keeping->lasting, 2.0 / 3);
  info.realization_weight = {1, 1, 6};
  set_keeping(flight_ends(flown, info.time), flown.mode, mission, info, s);
  EXPECT_DOUBLE_EQ(s.keeping->lasting, 0.25);
  info.realization_weight.clear();

  // Distances are averaged over the time under way: 1, 2, and 3 over half of the time.
  mission.objective = Objective::follow;
  flown.trajectories[0].points.back().harvested = -200;
  flown.trajectories[1].points.back().harvested = -400;
  flown.trajectories[2].points.back().harvested = -300;
  set_keeping(flight_ends(flown, info.time), flown.mode, mission, info, s);
  EXPECT_TRUE(s.keeping->is_distance);
  EXPECT_DOUBLE_EQ(s.keeping->mean, 2);
  EXPECT_EQ(s.keeping->p90, 3);

  mission.kept.reset();
  s.keeping.reset();
  set_keeping(flight_ends(flown, info.time), flown.mode, mission, info, s);
  EXPECT_FALSE(s.keeping.has_value());
}

TEST(RolloutStatistics, AveragesTheWorstTwentieth) {
  auto info = test::plain_info(3, 3, 60, 1, 50);
  RolloutResult rollout{RolloutMode::continuous, TimeLevel(0), {}};
  for (std::int32_t n = 0; n < 50; ++n) {
    const bool arrives = n != 7;
    rollout.trajectories.push_back(
        flight(n, arrives ? TrajectoryOutcome::arrived : TrajectoryOutcome::out_of_time,
               static_cast<std::size_t>(n) + 2, arrives ? 100 - (n + 1) : -1000));
  }
  const auto s = summarize(rollout, info, {10, 7.5, 1000});
  // 49 flights arrive, after 1 … 50 without 8. The slowest 5 % of 49 are 50, 49 and 0.45 of 48.
  EXPECT_NEAR(s.time.cvar95, (50 + 49 + 0.45 * 48) / 2.45, 1e-12);
  // The worst 5 % of 50 are the flight that fails, the slowest, and half of the next.
  EXPECT_NEAR(s.reward_cvar95, (-1000 + 50 + 0.5 * 51) / 2.5, 1e-12);
  ASSERT_EQ(s.arrived_by.size(), 5U);
  EXPECT_EQ(s.arrived_by[0].time, 26) << "the 25th to arrive of 50 flights";
  EXPECT_EQ(s.arrived_by[3].time, 49);
  EXPECT_TRUE(std::isnan(s.arrived_by[4].time)) << "99 % never arrive";
  ASSERT_EQ(s.deadlines.size(), 3U);
  EXPECT_DOUBLE_EQ(s.deadlines[0].share, 9.0 / 50);
  EXPECT_DOUBLE_EQ(s.deadlines[1].share, 7.0 / 50);
  EXPECT_DOUBLE_EQ(s.deadlines[2].share, 49.0 / 50);
}

TEST(RolloutStatistics, WeightsFlights) {
  auto info = test::plain_info(3, 3, 9, 1, 4);
  constexpr std::uint32_t eighth = weight_total / 8;
  info.realization_weight = {4 * eighth, eighth, 3 * eighth, 0};
  auto rollout = four_flights();
  const auto s = summarize(rollout, info);
  EXPECT_EQ(s.arrival_rate, 0.625);
  EXPECT_DOUBLE_EQ(s.effective_flights, 64.0 / 26) << "weights 4, 1, 3 and 0 of 8";
  EXPECT_EQ(s.time.mean, (4 * 2 + 4) / 5.0);
  EXPECT_EQ(s.time.p50, 2);
  EXPECT_EQ(s.time.p95, 4);
  EXPECT_EQ(s.energy.max, 8);
  EXPECT_DOUBLE_EQ(s.mean_total_reward, (4 * 98.0 + 96 - 3 * 1000) / 8);
  rollout.mode = RolloutMode::chain;  // drawn by weight already
  EXPECT_EQ(summarize(rollout, info).arrival_rate, 0.75);
}

TEST(PlanGain, IsComputedFlightByFlight) {
  const auto info = test::plain_info(3, 3, 9, 1, 4);
  const auto plan = flight_ends(four_flights(), info.time);
  const std::vector<FlightEnd> baseline{{0, TrajectoryOutcome::arrived, 5, 5, 0, 95},
                                        {1, TrajectoryOutcome::out_of_time, 9, 0, 0, -1000},
                                        {2, TrajectoryOutcome::arrived, 7, 7, 0, 93},
                                        {3, TrajectoryOutcome::arrived, 3, 9, 1, 97}};
  const PlanGain gain = gain_over(plan, baseline, info);
  EXPECT_EQ(gain.arrival_rate, 0) << "three each";
  EXPECT_EQ(gain.time, 1.5) << "of 3 and 0, where both arrive";
  EXPECT_EQ(gain.energy, 2) << "of 1 and 3";
  EXPECT_EQ(gain.net_energy, 2) << "of 2 and 2";
  EXPECT_DOUBLE_EQ(gain.total_reward, (3.0 + 1096 - 1093 + 0) / 4);
  double squares = 0;
  for (const double difference : {3.0, 1096.0, -1093.0, 0.0}) {
    squares += (difference - 1.5) * (difference - 1.5);
  }
  EXPECT_NEAR(gain.standard_error, std::sqrt(squares / 3 / 4), 1e-9);
}

TEST(PlanGain, WeightsFlights) {
  auto info = test::plain_info(3, 3, 9, 1, 4);
  info.realization_weight = {weight_total / 2, weight_total / 2, 0, 0};
  const auto plan = flight_ends(four_flights(), info.time);
  auto baseline = plan;
  baseline[1].outcome = TrajectoryOutcome::obstacle;
  baseline[2].total_reward = 1e6;
  baseline[0].time += 3;
  const PlanGain gain = gain_over(plan, baseline, info);
  EXPECT_EQ(gain.arrival_rate, 0.5);
  EXPECT_EQ(gain.time, 3);
  EXPECT_EQ(gain.total_reward, 0);
}

TEST(PlanGain, IsDefinedWithoutArrivals) {
  const auto info = test::plain_info(3, 3, 9);
  const std::vector<FlightEnd> failed{{0, TrajectoryOutcome::obstacle, 2, 1, 0, -1000}};
  const PlanGain gain = gain_over(failed, failed, info);
  EXPECT_EQ(gain.arrival_rate, 0);
  EXPECT_EQ(gain.total_reward, 0);
  EXPECT_TRUE(std::isnan(gain.time));
  EXPECT_TRUE(std::isnan(gain.standard_error));
}

TEST(RolloutStatistics, UsesOccurringValuesAsQuantiles) {
  RolloutResult rollout;
  for (std::int32_t n = 0; n < 100; ++n) {
    rollout.trajectories.push_back(
        flight(0, TrajectoryOutcome::arrived, static_cast<std::size_t>(100 - n), 0));
  }
  const auto s = summarize(rollout, test::plain_info(3, 3, 200));
  EXPECT_EQ(s.time.p05, 4);  // times 0 … 99: five of them are at most 4
  EXPECT_EQ(s.time.p50, 49);
  EXPECT_EQ(s.time.p95, 94);
}

TEST(RolloutStatistics, SummarizesNoArrivalsAndNoFlights) {
  const auto info = test::plain_info(3, 3, 9);
  RolloutResult rollout;
  rollout.trajectories = {flight(0, TrajectoryOutcome::out_of_time, 9, -1008)};
  const auto failed = summarize(rollout, info);
  EXPECT_EQ(failed.arrival_rate, 0);
  EXPECT_TRUE(std::isnan(failed.time.mean));
  EXPECT_TRUE(std::isnan(failed.standard_error));
  EXPECT_EQ(failed.failures.out_of_time, 1);
  EXPECT_TRUE(std::isnan(summarize({}, info).arrival_rate));
}

}  // namespace
}  // namespace tidewise
