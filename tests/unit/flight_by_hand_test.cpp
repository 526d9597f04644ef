// Flights of a few cells that a person can follow: the forward evaluation, the chain and the
// continuous rollout side by side.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "solver/forward_evaluation.h"
#include "solver/rollout.h"
#include "support/environment_builder.h"
#include "support/policies.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::ConstantPolicy;
using test::FillLevel;
using test::plain_info;

constexpr std::int16_t east = 0;
constexpr std::int16_t north = 1;
constexpr std::int16_t west = 2;

Mission mission_between(const EnvironmentInfo& info, int start_i, int start_j, int target_i,
                        int target_j, Objective objective = Objective::time) {
  Mission mission;
  mission.objective = objective;
  mission.start = info.grid.cell(start_i, start_j);
  mission.start_x = info.grid.x(start_i);
  mission.start_y = info.grid.y(start_j);
  mission.target = target_cells(info.grid, info.grid.x(target_i), info.grid.y(target_j), 0);
  mission.last = TimeLevel(info.time.level_count - 1);
  return mission;
}

FillLevel eastward(float u) {
  return [u](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), u);
  };
}

/// One policy, seen in three ways.
struct Flown {
  ExpectedOutcome expected;
  RolloutResult chain;
  RolloutResult continuous;
};

class FlightByHand : public testing::Test {
 protected:
  Flown fly_all(const EnvironmentInfo& info, const FillLevel& fill, const Mission& mission,
                const PolicySource& policy, const std::vector<double>& speeds = {1}) {
    test::write_environment(folder_ / "env.h5", info, fill);
    const EnvironmentReader reader(folder_ / "env.h5");
    const auto actions = make_actions(speeds, 4, info.grid, info.time);
    SilentProgress progress;
    RolloutOptions chain;
    chain.mode = RolloutMode::chain;
    return {evaluate_policy(reader, actions, mission, policy, 1, progress),
            fly(reader, actions, mission, policy, chain, progress),
            fly(reader, actions, mission, policy, {}, progress)};
  }

  /// All three agree on how a certain flight ends, what it earns and how many points it has.
  static void expect_end(const Flown& flown, TrajectoryOutcome outcome, double reward,
                         std::size_t points) {
    for (const RolloutResult* rollout : {&flown.chain, &flown.continuous}) {
      SCOPED_TRACE(std::string(to_string(rollout->mode)));
      const Trajectory& trajectory = rollout->trajectories.at(0);
      EXPECT_EQ(trajectory.outcome, outcome);
      EXPECT_DOUBLE_EQ(trajectory.total_reward, reward);
      EXPECT_EQ(trajectory.points.size(), points);
      EXPECT_TRUE(std::isnan(trajectory.points.back().heading));
    }
    const ExpectedOutcome& expected = flown.expected;
    EXPECT_DOUBLE_EQ(expected.value, reward);
    EXPECT_EQ(expected.arrival_probability, outcome == TrajectoryOutcome::arrived ? 1 : 0);
    EXPECT_EQ(expected.obstacle_probability, outcome == TrajectoryOutcome::obstacle ? 1 : 0);
    EXPECT_EQ(expected.out_of_domain_probability,
              outcome == TrajectoryOutcome::out_of_domain ? 1 : 0);
    EXPECT_EQ(expected.out_of_time_probability, outcome == TrajectoryOutcome::out_of_time ? 1 : 0);
    EXPECT_EQ(std::isnan(expected.time), outcome != TrajectoryOutcome::arrived);
  }

  test::TemporaryFolder folder_;
};

TEST_F(FlightByHand, ArrivesInStillWater) {
  const auto info = plain_info(6, 3, 9);
  const auto flown = fly_all(info, {}, mission_between(info, 0, 1, 4, 1), ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 96, 5);
  EXPECT_EQ(flown.expected.time, 4);
  EXPECT_EQ(flown.expected.energy, 4);
  for (const auto* rollout : {&flown.chain, &flown.continuous}) {
    const auto& points = rollout->trajectories[0].points;
    for (std::size_t n = 0; n < 5; ++n) {
      EXPECT_DOUBLE_EQ(points[n].x, 0.5 + static_cast<double>(n));
      EXPECT_DOUBLE_EQ(points[n].y, 1.5);
      EXPECT_EQ(points[n].energy, static_cast<float>(n));
    }
    EXPECT_EQ(points[0].heading, 0.0F);
    EXPECT_EQ(points[0].speed, 1.0F);
  }
}

TEST_F(FlightByHand, TheCurrentCarries) {
  const auto info = plain_info(6, 3, 9);
  const auto flown =
      fly_all(info, eastward(1), mission_between(info, 0, 1, 4, 1), ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 98, 3);
  EXPECT_EQ(flown.expected.time, 2);
}

TEST_F(FlightByHand, ALaterDepartureLeavesLater) {
  const auto info = plain_info(6, 3, 9);
  auto mission = mission_between(info, 0, 1, 4, 1);
  mission.departure = TimeLevel(4);
  const auto flown = fly_all(info, {}, mission, ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 96, 5);  // on the very last level
  EXPECT_EQ(flown.expected.time, 4);
  EXPECT_EQ(flown.chain.departure, TimeLevel(4));
  mission.departure = TimeLevel(5);
  expect_end(fly_all(info, {}, mission, ConstantPolicy(east)), TrajectoryOutcome::out_of_time,
             -1002, 4);
}

TEST_F(FlightByHand, AnObstacleInTheWay) {
  const auto info = plain_info(6, 3, 9);
  const auto wall = [&](TimeLevel, LevelFields<>& fields) { fields.closed[6 + 3] = 1; };
  const auto mission = mission_between(info, 0, 1, 5, 1);
  const auto flown = fly_all(info, wall, mission, ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::obstacle, -1002, 4);
  EXPECT_DOUBLE_EQ(flown.chain.trajectories[0].points.back().x, 3.5);
  EXPECT_DOUBLE_EQ(flown.continuous.trajectories[0].points.back().x, 3.0);  // at its edge
  EXPECT_EQ(flown.continuous.trajectories[0].points.back().energy, 3.0F);
  // Two cells a step: jumping over it is no way either.
  expect_end(fly_all(info, wall, mission, ConstantPolicy(east), {2}), TrajectoryOutcome::obstacle,
             -1001, 3);
}

TEST_F(FlightByHand, AnObstacleOnlyNowOrOnlyNextBlocks) {
  const auto info = plain_info(6, 3, 9);
  for (const int level : {1, 2}) {
    const auto passing = [&](TimeLevel k, LevelFields<>& fields) {
      fields.closed[6 + 2] = k.value == level;
    };
    expect_end(fly_all(info, passing, mission_between(info, 0, 1, 5, 1), ConstantPolicy(east)),
               TrajectoryOutcome::obstacle, -1001, 3);
  }
}

TEST_F(FlightByHand, StayingInACellThatCloses) {
  const auto info = plain_info(6, 3, 9);
  const auto closing = [&](TimeLevel k, LevelFields<>& fields) { fields.closed[6] = k.value >= 2; };
  const auto mission = mission_between(info, 0, 1, 5, 1);
  expect_end(fly_all(info, closing, mission, ConstantPolicy(0), {0}), TrajectoryOutcome::obstacle,
             -1001, 3);
  // Leaving in time is no failure: the start cell is excepted.
  expect_end(fly_all(info, closing, mission, ConstantPolicy(east)), TrajectoryOutcome::arrived, 95,
             6);
}

TEST_F(FlightByHand, LeavingTheDomain) {
  const auto info = plain_info(6, 3, 9);
  const auto flown = fly_all(info, {}, mission_between(info, 1, 1, 5, 1), ConstantPolicy(west));
  expect_end(flown, TrajectoryOutcome::out_of_domain, -1001, 3);
  EXPECT_DOUBLE_EQ(flown.continuous.trajectories[0].points.back().x, -0.5);
}

TEST_F(FlightByHand, AnObstacleComesBeforeTheBorderAndTheTarget) {
  const auto info = plain_info(6, 3, 9);
  const auto wall = [&](TimeLevel, LevelFields<>& fields) { fields.closed[6] = 1; };
  expect_end(fly_all(info, wall, mission_between(info, 1, 1, 5, 1), ConstantPolicy(west), {2}),
             TrajectoryOutcome::obstacle, -1000, 2);
  // A mask over the target wins.
  expect_end(fly_all(info, wall, mission_between(info, 1, 1, 0, 1), ConstantPolicy(west)),
             TrajectoryOutcome::obstacle, -1000, 2);
}

TEST_F(FlightByHand, OutOfTime) {
  const auto info = plain_info(9, 3, 4);
  expect_end(fly_all(info, {}, mission_between(info, 0, 1, 5, 1), ConstantPolicy(east)),
             TrajectoryOutcome::out_of_time, -1002, 4);
  // Arrival on the last step counts as arrival.
  expect_end(fly_all(info, {}, mission_between(info, 0, 1, 3, 1), ConstantPolicy(east)),
             TrajectoryOutcome::arrived, 97, 4);
}

TEST_F(FlightByHand, AStartThatIsAlreadyTheEnd) {
  const auto info = plain_info(6, 3, 4);
  const auto in_target =
      fly_all(info, {}, mission_between(info, 2, 1, 2, 1), ConstantPolicy(no_action));
  expect_end(in_target, TrajectoryOutcome::arrived, 0, 1);
  EXPECT_EQ(in_target.expected.time, 0);
  EXPECT_EQ(in_target.expected.energy, 0);
  const auto closed = [&](TimeLevel, LevelFields<>& fields) { fields.closed[6 + 2] = 1; };
  expect_end(fly_all(info, closed, mission_between(info, 2, 1, 2, 1), ConstantPolicy(no_action)),
             TrajectoryOutcome::obstacle, -1000, 1);
  auto late = mission_between(info, 2, 1, 4, 1);
  late.departure = late.last;
  expect_end(fly_all(info, {}, late, ConstantPolicy(no_action)), TrajectoryOutcome::out_of_time,
             -1000, 1);
}

TEST_F(FlightByHand, ACellWithoutAnActionIsAnObstacle) {
  const auto info = plain_info(6, 3, 4);
  expect_end(fly_all(info, {}, mission_between(info, 2, 1, 4, 1), ConstantPolicy(no_action)),
             TrajectoryOutcome::obstacle, -1000, 1);
}

TEST_F(FlightByHand, AnActionThatDoesNotExistIsRefused) {
  const auto info = plain_info(6, 3, 4);
  EXPECT_THROW(fly_all(info, {}, mission_between(info, 2, 1, 4, 1), ConstantPolicy(4)), InputError);
}

TEST_F(FlightByHand, AFlowTooFastIsRefused) {
  const auto info = plain_info(6, 3, 4);
  EXPECT_THROW(
      fly_all(info, eastward(1024), mission_between(info, 2, 1, 4, 1), ConstantPolicy(east)),
      InputError);
}

TEST_F(FlightByHand, EnergyIsBookedForEveryObjective) {
  const auto info = plain_info(6, 3, 9);
  const auto sun = [](TimeLevel k, LevelFields<>& fields) {
    std::fill(fields.scalar.begin(), fields.scalar.end(), k.value == 0 ? 2.0F : 4.0F);
  };
  // Two steps at speed 2 with c_f = 0.5, c_t = 0.25: 2.25 a step. Harvest: 3·(2+4)/2, then 3·4.
  const double spent = 4.5;
  const double harvested = 21;
  const std::pair<Objective, double> rewards[] = {
      {Objective::time, 100 - 2},
      {Objective::energy, 100 - spent},
      {Objective::net_energy, 100 - spent + harvested},
      {Objective::weighted, 100 - 2 * (0.75 * 0.5 * 4 + 0.25)}};
  for (const auto& [objective, reward] : rewards) {
    SCOPED_TRACE(std::string(to_string(objective)));
    auto mission = mission_between(info, 0, 1, 4, 1, objective);
    mission.energy = {.c_f = 0.5, .c_t = 0.25, .c_r = 3, .alpha = 0.75};
    const auto flown = fly_all(info, sun, mission, ConstantPolicy(east), {2});
    expect_end(flown, TrajectoryOutcome::arrived, reward, 3);
    EXPECT_DOUBLE_EQ(flown.expected.energy, spent);
    EXPECT_DOUBLE_EQ(flown.expected.net_energy, spent - harvested);
    for (const auto* rollout : {&flown.chain, &flown.continuous}) {
      EXPECT_FLOAT_EQ(rollout->trajectories[0].points.back().energy, 4.5F);
      EXPECT_FLOAT_EQ(rollout->trajectories[0].points.back().harvested, 21.0F);
      EXPECT_FLOAT_EQ(rollout->trajectories[0].points[1].harvested, 9.0F);
    }
  }
}

TEST_F(FlightByHand, WithoutAScalarFieldNothingIsHarvested) {
  auto info = plain_info(6, 3, 9);
  info.has_scalar = false;
  const auto flown = fly_all(info, {}, mission_between(info, 0, 1, 4, 1), ConstantPolicy(east));
  EXPECT_EQ(flown.expected.net_energy, flown.expected.energy);
  EXPECT_EQ(flown.continuous.trajectories[0].points.back().harvested, 0.0F);
}

/// Two realizations: still water, and one that doubles the vehicle's step. One mode of 1
/// everywhere.
void two_speeds(TimeLevel, LevelFields<>& fields) {
  std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
  fields.coefficient[0] = 0;
  fields.coefficient[1] = 1;
}

TEST_F(FlightByHand, TwoRealizationsShareTheProbability) {
  // Five levels, target three cells away. One or two cells a step, 1/2 each.
  const auto info = plain_info(7, 3, 5, 1, 2);
  const auto flown =
      fly_all(info, two_speeds, mission_between(info, 0, 1, 3, 1), ConstantPolicy(east));
  // Arrivals: 1+2 and 2+1 (1/4 each) after two steps, 1+1+1 (1/8) after three.
  EXPECT_DOUBLE_EQ(flown.expected.arrival_probability, 0.625);
  EXPECT_DOUBLE_EQ(flown.expected.time, (0.5 * 2 + 0.125 * 3) / 0.625);
  // The rest passes the target. Three steps in, 1/8 each are at 4 (1+1+2), 5 (2+2+1) and 6 (2+2+2);
  // the fourth step takes the last beyond column 6 for certain and the second in half the cases.
  EXPECT_DOUBLE_EQ(flown.expected.out_of_domain_probability, 0.125 * (1 + 0.5));
  EXPECT_DOUBLE_EQ(flown.expected.out_of_time_probability, 0.125 * (1 + 0.5));
  // Carried through, a realization is certain: 1 a step arrives, 2 a step passes by.
  EXPECT_EQ(flown.continuous.trajectories[0].outcome, TrajectoryOutcome::arrived);
  EXPECT_EQ(flown.continuous.trajectories[1].outcome, TrajectoryOutcome::out_of_domain);
  EXPECT_EQ(flown.continuous.trajectories[1].realization, 1);
}

TEST_F(FlightByHand, WeightsTakeThePlaceOfOnes) {
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
  SilentProgress progress;
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const auto many = fly(reader, actions, mission, ConstantPolicy(east), options, progress);
  const auto arrived =
      std::count_if(many.trajectories.begin(), many.trajectories.end(),
                    [](const auto& t) { return t.outcome == TrajectoryOutcome::arrived; });
  EXPECT_NEAR(static_cast<double>(arrived), 3000, 4 * std::sqrt(4000 * 0.75 * 0.25));
}

TEST_F(FlightByHand, AsksOnlyForRealizationsThatAre) {
  const auto info = plain_info(7, 3, 5, 1, 2);
  test::write_environment(folder_ / "env.h5", info, two_speeds);
  const EnvironmentReader reader(folder_ / "env.h5");
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const auto mission = mission_between(info, 0, 1, 3, 1);
  SilentProgress progress;
  RolloutOptions options;
  options.realizations = {1};
  const auto one = fly(reader, actions, mission, ConstantPolicy(east), options, progress);
  ASSERT_EQ(one.trajectories.size(), 1u);
  EXPECT_EQ(one.trajectories[0].realization, 1);
  options.realizations = {2};
  EXPECT_THROW(fly(reader, actions, mission, ConstantPolicy(east), options, progress), InputError);
}

TEST_F(FlightByHand, ContinuousKeepsTheTruePosition) {
  // A shear u = y/4 under a vehicle that heads north from off the centres.
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
  EXPECT_DOUBLE_EQ(points[1].x, 1.25 + 1.75 / 4);
  EXPECT_DOUBLE_EQ(points[1].y, 2.75);
  EXPECT_DOUBLE_EQ(points[2].x, 1.25 + (1.75 + 2.75) / 4);
  EXPECT_DOUBLE_EQ(points[3].x, 1.25 + (1.75 + 2.75 + 3.75) / 4);
  // The chain starts from the centre of the start's cell.
  EXPECT_DOUBLE_EQ(flown.chain.trajectories[0].points[0].x, 1.5);
}

TEST_F(FlightByHand, ContinuousBooksTheFieldWhereTheVehicleIs) {
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

}  // namespace
}  // namespace tidewise
