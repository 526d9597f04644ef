// Energy, harvest, averages and paths of flights over a few cells.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "solver/flight/chain_step.h"
#include "support/ocean/landing_rules.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise::test {
namespace {

using FlightAccumulators = FlightByHand;

TEST_P(FlightAccumulators, CountEnergyForEveryObjective) {
  const auto info = plain_info(6, 3, 9);
  const auto sun = [](TimeLevel k, LevelFields<>& fields) {
    std::fill(fields.scalar.begin(), fields.scalar.end(), k.value == 0 ? 2.0F : 4.0F);
  };
  // The flight makes 1¾ steps at speed 2 to the edge of a disc; c_f = 0.5 and c_t = 0.25 make 2.25
  // per step. It harvests 3·(2+4)/2, then ¾ of 3·4.
  const double spent = 1.75 * 2.25;
  const double harvested = 18;
  const std::pair<Objective, double> rewards[] = {
      {Objective::time, 100 - 1.75},
      {Objective::energy, 100 - spent},
      {Objective::net_energy, 100 - spent + harvested},
      {Objective::weighted, 100 - 1.75 * (0.75 * 0.5 * 4 + 0.25)}};
  for (const auto& [objective, reward] : rewards) {
    SCOPED_TRACE(std::string(to_string(objective)));
    auto mission = mission_between(info, 0, 1, 4, 1, objective);
    mission.energy = {.c_f = 0.5, .c_t = 0.25, .c_r = 3, .alpha = 0.75};
    mission.disc = target_disc(info.grid, 4.5, 1.5, 0.5);
    const auto flown = fly_all(info, sun, mission, ConstantPolicy(east), {2});
    expect_end(flown, TrajectoryOutcome::arrived, reward, 3, Ends::in_disc, 0.75);
    EXPECT_DOUBLE_EQ(flown.expected.time, 1.75);
    EXPECT_DOUBLE_EQ(flown.expected.energy, spent);
    EXPECT_DOUBLE_EQ(flown.expected.net_energy, spent - harvested);
    for (const auto* rollout : {&flown.chain, &flown.continuous}) {
      EXPECT_FLOAT_EQ(rollout->trajectories[0].points.back().energy, 3.9375F);
      EXPECT_FLOAT_EQ(rollout->trajectories[0].points.back().harvested, 18.0F);
      EXPECT_FLOAT_EQ(rollout->trajectories[0].points[1].harvested, 9.0F);
    }
  }
}

TEST_P(FlightAccumulators, HarvestNothingWithoutAScalarField) {
  auto info = plain_info(6, 3, 9);
  info.has_scalar = false;
  const auto flown = fly_all(info, {}, mission_between(info, 0, 1, 4, 1), ConstantPolicy(east));
  EXPECT_EQ(flown.expected.net_energy, flown.expected.energy);
  EXPECT_EQ(flown.continuous.trajectories[0].points.back().harvested, 0.0F);
}

// Two realizations: still water, and one that doubles the vehicle's step. One mode of 1 everywhere.
void two_speeds(TimeLevel, LevelFields<>& fields) {
  std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
  fields.coefficient[0] = 0;
  fields.coefficient[1] = 1;
}

TEST_P(FlightAccumulators, DivideProbabilityBetweenRealizations) {
  // Five levels, target three cells away. One or two cells per step, 1/2 each.
  const auto info = plain_info(7, 3, 5, 1, 2);
  const auto flown =
      fly_all(info, two_speeds, mission_between(info, 0, 1, 3, 1), ConstantPolicy(east));
  // Arrivals: 1+2 and 2+1 (1/4 each) after two steps, 1+1+1 (1/8) after three.
  EXPECT_DOUBLE_EQ(flown.expected.arrival_probability, 0.625);
  EXPECT_DOUBLE_EQ(flown.expected.time, (0.5 * 2 + 0.125 * 3) / 0.625);
  // The others pass the target. After three steps, 1/8 each are in column 4 (1+1+2), 5 (2+2+1) and
  // 6 (2+2+2). The fourth step leaves the domain always from column 6, and in half the cases from
  // column 5.
  EXPECT_DOUBLE_EQ(flown.expected.out_of_domain_probability, 0.125 * (1 + 0.5));
  EXPECT_DOUBLE_EQ(flown.expected.out_of_time_probability, 0.125 * (1 + 0.5));
  // In continuous mode a flight keeps its realization and arrives at the edge of the target's cell,
  // even if its steps of two cells skip the target's centre.
  EXPECT_EQ(flown.continuous.trajectories[0].outcome, TrajectoryOutcome::arrived);
  EXPECT_DOUBLE_EQ(flown.continuous.trajectories[0].steps(), 2.5);
  EXPECT_EQ(flown.continuous.trajectories[1].outcome, TrajectoryOutcome::arrived);
  EXPECT_DOUBLE_EQ(flown.continuous.trajectories[1].steps(), 1.25);
  EXPECT_EQ(flown.continuous.trajectories[1].realization, 1);
}

TEST_P(FlightAccumulators, WeightRealizations) {
  auto info = plain_info(7, 3, 2, 1, 2);
  info.realization_weight = {weight_total / 4, 3 * (weight_total / 4)};
  const auto mission = mission_between(info, 0, 1, 2, 1);
  const auto flown = fly_all(info, two_speeds, mission, ConstantPolicy(east));
  EXPECT_DOUBLE_EQ(flown.expected.arrival_probability, 0.75);
  EXPECT_DOUBLE_EQ(flown.expected.out_of_time_probability, 0.25);
  EXPECT_DOUBLE_EQ(flown.expected.value, 0.75 * 99 - 0.25 * 1000);
  const EnvironmentReader reader(folder_ / "env.h5");
  RolloutOptions options;
  options.mode = RolloutMode::chain;
  options.flights = 4000;
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const auto flown_chain =
      fly_on(GetParam(), reader, {actions, mission, test::by_cell}, ConstantPolicy(east), options);
  const auto arrived =
      std::count_if(flown_chain.trajectories.begin(), flown_chain.trajectories.end(),
                    [](const auto& t) { return t.outcome == TrajectoryOutcome::arrived; });
  EXPECT_NEAR(static_cast<double>(arrived), 3000, 4 * std::sqrt(4000 * 0.75 * 0.25));
}

TEST(RealizationDraw, DrawsByWeight) {
  const std::uint32_t cumulative_weight[] = {3, 3, 10, 11};  // weights 3, 0, 7, 1
  const RealizationDraw draw{Philox(1), 11, {cumulative_weight, 4}};
  const std::int32_t holders[] = {0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 3};
  for (std::uint32_t ticket = 0; ticket < 11; ++ticket) {
    EXPECT_EQ(draw.holder(ticket), holders[ticket]);
  }
  EXPECT_EQ((RealizationDraw{Philox(1), 5, {}}.holder(4)), 4);
}

TEST_P(FlightAccumulators, RejectUnknownRealizations) {
  const auto info = plain_info(7, 3, 5, 1, 2);
  write_environment(folder_ / "env.h5", info, two_speeds);
  const EnvironmentReader reader(folder_ / "env.h5");
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const auto mission = mission_between(info, 0, 1, 3, 1);
  RolloutOptions options;
  options.realizations = {1};
  const auto flown =
      fly_on(GetParam(), reader, {actions, mission, test::by_cell}, ConstantPolicy(east), options);
  ASSERT_EQ(flown.trajectories.size(), 1u);
  EXPECT_EQ(flown.trajectories[0].realization, 1);
  options.realizations = {2};
  EXPECT_THROW(
      fly_on(GetParam(), reader, {actions, mission, test::by_cell}, ConstantPolicy(east), options),
      InputError);
}

TEST_P(FlightAccumulators, KeepTheTruePositionInContinuousMode) {
  // A shear u = y/4 and a vehicle that heads north from a point off the centres: after t steps it
  // has moved (y t + t²/2)/4 to the east.
  const auto info = plain_info(8, 6, 4);
  const auto shear = [&](TimeLevel, LevelFields<>& fields) {
    for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
      fields.u_mean[cell] = (static_cast<float>(cell / 8) + 0.5F) / 4;
    }
  };
  auto mission = mission_between(info, 1, 1, 7, 0);
  mission.start_x = 1.25;
  mission.start_y = 1.75;
  const auto flown = fly_all(info, shear, mission, ConstantPolicy(north));
  const auto& points = flown.continuous.trajectories[0].points;
  ASSERT_EQ(points.size(), 4u);
  EXPECT_DOUBLE_EQ(points[1].x, 1.25 + (1.75 + 0.5) / 4);
  EXPECT_DOUBLE_EQ(points[1].y, 2.75);
  EXPECT_DOUBLE_EQ(points[2].x, 1.25 + (2 * 1.75 + 2) / 4);
  EXPECT_DOUBLE_EQ(points[3].x, 1.25 + (3 * 1.75 + 4.5) / 4);
  // The chain starts from the centre of the start's cell.
  EXPECT_DOUBLE_EQ(flown.chain.trajectories[0].points[0].x, 1.5);
}

TEST_P(FlightAccumulators, FollowAVortexInContinuousMode) {
  // Water in solid rotation, half a revolution in four steps, carries a vehicle without speed along
  // a circle, although a step crosses 6 cells.
  const auto info = plain_info(21, 21, 5);
  const double turn = std::numbers::pi / 4;  // per step
  const auto wheel = [&](TimeLevel, LevelFields<>& fields) {
    for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
      const double x = static_cast<double>(cell % 21) - 10;
      const double y = static_cast<double>(cell / 21) - 10;
      fields.u_mean[cell] = static_cast<float>(-turn * y);
      fields.v_mean[cell] = static_cast<float>(turn * x);
    }
  };
  const auto mission = mission_between(info, 18, 10, 0, 20);
  const auto flown = fly_all(info, wheel, mission, ConstantPolicy(east), {0});
  const auto& points = flown.continuous.trajectories[0].points;
  ASSERT_EQ(points.size(), 5u);
  for (std::size_t n = 0; n < points.size(); ++n) {
    const double angle = turn * static_cast<double>(n);
    EXPECT_NEAR(points[n].x, 10.5 + 8 * std::cos(angle), 2e-4);
    EXPECT_NEAR(points[n].y, 10.5 + 8 * std::sin(angle), 2e-4);
  }
}

TEST_P(FlightAccumulators, HitObstaclesOnACurvedPath) {
  // Solid rotation again: neither the closed cell nor the target lies on the step's straight line.
  const auto info = plain_info(21, 21, 3);
  const auto wheel_and_rock = [&](bool has_rock) {
    return [has_rock](TimeLevel, LevelFields<>& fields) {
      for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
        const double x = static_cast<double>(cell % 21) - 10;
        const double y = static_cast<double>(cell / 21) - 10;
        fields.u_mean[cell] = static_cast<float>(-std::numbers::pi / 2 * y);
        fields.v_mean[cell] = static_cast<float>(std::numbers::pi / 2 * x);
      }
      if (has_rock) fields.masked[15 * 21 + 15] = 1;  // on the circle of 7 cells, at 45°
    };
  };
  const auto mission = mission_between(info, 17, 10, 10, 17);
  const auto unblocked = fly_all(info, wheel_and_rock(false), mission, ConstantPolicy(east), {0});
  EXPECT_EQ(unblocked.continuous.trajectories[0].outcome, TrajectoryOutcome::arrived);
  EXPECT_NEAR(unblocked.continuous.trajectories[0].last_step,
              1 - std::asin(0.5 / 7) * 2 / std::numbers::pi, 2e-3);
  const auto blocked = fly_all(info, wheel_and_rock(true), mission, ConstantPolicy(east), {0});
  EXPECT_EQ(blocked.continuous.trajectories[0].outcome, TrajectoryOutcome::obstacle);
  EXPECT_EQ(blocked.continuous.trajectories[0].points.size(), 2u);
}

TEST_P(FlightAccumulators, HarvestAtTheTruePosition) {
  const auto info = plain_info(8, 4, 3);
  const auto slope = [&](TimeLevel, LevelFields<>& fields) {
    for (std::size_t cell = 0; cell < fields.scalar.size(); ++cell) {
      fields.scalar[cell] = static_cast<float>(cell % 8) + 0.5F;  // g = x
    }
  };
  auto mission = mission_between(info, 1, 1, 7, 3);
  mission.start_x = 1.25;
  const auto flown = fly_all(info, slope, mission, ConstantPolicy(east));
  EXPECT_FLOAT_EQ(flown.continuous.trajectories[0].points[1].harvested, (1.25F + 2.25F) / 2);
  EXPECT_FLOAT_EQ(flown.chain.trajectories[0].points[1].harvested, (1.5F + 2.5F) / 2);
}

INSTANTIATE_TEST_SUITE_P(Backends, FlightAccumulators, testing::ValuesIn(all_backends),
                         name_of_backend);

}  // namespace
}  // namespace tidewise::test
