// Ends of flights over a few cells.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "env/mask.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise::test {
namespace {

using FlightEnds = FlightByHand;

TEST_P(FlightEnds, ArriveInStillWater) {
  const auto info = plain_info(6, 3, 9);
  const auto flown = fly_all(info, {}, mission_between(info, 0, 1, 4, 1), ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 96, 5, 0.5);
  EXPECT_EQ(flown.expected.time, 4);
  EXPECT_EQ(flown.expected.energy, 4);
  for (const auto* rollout : {&flown.chain, &flown.continuous}) {
    const Trajectory& flight = rollout->trajectories[0];
    const auto& points = flight.points;
    for (std::size_t n = 0; n < 5; ++n) {
      const double steps = flight.steps_to(n);
      EXPECT_EQ(steps, n == 4 && rollout == &flown.continuous ? 3.5 : static_cast<double>(n));
      EXPECT_DOUBLE_EQ(points[n].x, 0.5 + steps);
      EXPECT_DOUBLE_EQ(points[n].y, 1.5);
      EXPECT_EQ(points[n].energy, static_cast<float>(steps));
    }
    EXPECT_EQ(points[0].heading, 0.0F);
    EXPECT_EQ(points[0].speed, 1.0F);
  }
}

TEST_P(FlightEnds, ArriveByDrifting) {
  const auto info = plain_info(6, 3, 9);
  const auto flown =
      fly_all(info, eastward(1), mission_between(info, 0, 1, 4, 1), ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 98, 3, 0.75);
  EXPECT_EQ(flown.expected.time, 2);
}

TEST_P(FlightEnds, DepartAtTheMissionsLevel) {
  const auto info = plain_info(6, 3, 9);
  auto mission = mission_between(info, 0, 1, 4, 1);
  mission.departure = TimeLevel(4);
  const auto flown = fly_all(info, {}, mission, ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 96, 5, 0.5);  // on the very last level
  EXPECT_EQ(flown.expected.time, 4);
  EXPECT_EQ(flown.chain.departure, TimeLevel(4));
  mission.departure = TimeLevel(5);
  expect_end(fly_all(info, {}, mission, ConstantPolicy(east)), TrajectoryOutcome::out_of_time,
             -1002, 4);
}

TEST_P(FlightEnds, CompleteTheStepAfterADepartureBetweenLevels) {
  const auto info = plain_info(6, 3, 9);
  auto mission = mission_between(info, 0, 1, 4, 1);
  mission.departure = TimeLevel(2);
  mission.begun = 0.25;
  const auto flown = fly_all(info, {}, mission, ConstantPolicy(east));
  const Trajectory& flight = flown.continuous.trajectories[0];
  ASSERT_EQ(flight.points.size(), 5u);
  EXPECT_EQ(flight.steps(), 3.5);
  EXPECT_EQ(flight.last_step, 0.75);
  EXPECT_EQ(flight.total_reward, 96.5);
  const std::array<double, 5> expected_steps{0, 0.75, 1.75, 2.75, 3.5};
  for (std::size_t n = 0; n < expected_steps.size(); ++n) {
    const double steps_made = flight.steps_to(n) - mission.begun;
    EXPECT_EQ(steps_made, expected_steps[n]);
    EXPECT_DOUBLE_EQ(flight.points[n].x, 0.5 + steps_made);
    EXPECT_EQ(flight.points[n].energy, static_cast<float>(steps_made));
  }
  // In the model, a flight takes equally long from either level.
  EXPECT_EQ(flown.expected.time, 4);
  EXPECT_EQ(flown.expected.value, 96);
  EXPECT_EQ(flown.expected.arrival_probability, 1);
}

// The current begins at level 3: from level 2 the model arrives after 3 steps, from level 3
// after 2.
TEST_P(FlightEnds, DepartAtBothLevelsInTheModel) {
  const auto info = plain_info(6, 3, 9);
  auto mission = mission_between(info, 0, 1, 4, 1);
  mission.departure = TimeLevel(2);
  mission.begun = 0.75;
  mission.target[static_cast<std::size_t>(info.grid.cell(5, 1).value)] = 1;
  const FillLevel later = [](TimeLevel k, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), k.value < 3 ? 0.0F : 1.0F);
  };
  const auto flown = fly_all(info, later, mission, ConstantPolicy(east));
  EXPECT_EQ(flown.expected.time, 0.25 * 3 + 0.75 * 2);
  EXPECT_EQ(flown.expected.value, 100 - 2.25);
  // The vehicle moves a quarter of a step at 1, and the other 3.25 of 3.5 cells at 2.
  EXPECT_EQ(flown.continuous.trajectories[0].steps(), 0.25 + 3.25 / 2);
  mission.last = TimeLevel(3);  // no step is left at the next level
  EXPECT_EQ(fly_all(info, later, mission, ConstantPolicy(east)).expected.out_of_time_probability,
            1);
}

TEST_P(FlightEnds, HitAnObstacleOnThePath) {
  const auto info = plain_info(6, 3, 9);
  const auto wall = [&](TimeLevel, LevelFields<>& fields) { fields.masked[6 + 3] = 1; };
  const auto mission = mission_between(info, 0, 1, 5, 1);
  const auto flown = fly_all(info, wall, mission, ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::obstacle, -1002, 4);
  EXPECT_DOUBLE_EQ(flown.chain.trajectories[0].points.back().x, 3.5);
  EXPECT_DOUBLE_EQ(flown.continuous.trajectories[0].points.back().x, 3.0);  // at its edge
  EXPECT_EQ(flown.continuous.trajectories[0].points.back().energy, 3.0F);
  // Two cells per step: it cannot jump over the wall.
  expect_end(fly_all(info, wall, mission, ConstantPolicy(east), {2}), TrajectoryOutcome::obstacle,
             -1001, 3);
}

TEST_P(FlightEnds, HitObstaclesOfEitherLevel) {
  const auto info = plain_info(6, 3, 9);
  for (const int level : {1, 2}) {
    const auto passing = [&](TimeLevel k, LevelFields<>& fields) {
      fields.masked[6 + 2] = k.value == level;
    };
    expect_end(fly_all(info, passing, mission_between(info, 0, 1, 5, 1), ConstantPolicy(east)),
               TrajectoryOutcome::obstacle, -1001, 3);
  }
}

TEST_P(FlightEnds, FailInACellThatCloses) {
  const auto info = plain_info(6, 3, 9);
  const auto closing = [&](TimeLevel k, LevelFields<>& fields) { fields.masked[6] = k.value >= 2; };
  const auto mission = mission_between(info, 0, 1, 5, 1);
  expect_end(fly_all(info, closing, mission, ConstantPolicy(0), {0}), TrajectoryOutcome::obstacle,
             -1001, 3);
  // Leaving in time is no failure, because the start cell does not block.
  expect_end(fly_all(info, closing, mission, ConstantPolicy(east)), TrajectoryOutcome::arrived, 95,
             6, 0.5);
}

TEST_P(FlightEnds, LeaveTheDomain) {
  const auto info = plain_info(6, 3, 9);
  const auto flown = fly_all(info, {}, mission_between(info, 1, 1, 5, 1), ConstantPolicy(west));
  expect_end(flown, TrajectoryOutcome::out_of_domain, -1001, 3);
  EXPECT_DOUBLE_EQ(flown.continuous.trajectories[0].points.back().x, -0.5);
}

TEST_P(FlightEnds, PreferObstaclesToBorderAndTarget) {
  const auto info = plain_info(6, 3, 9);
  const auto wall = [&](TimeLevel, LevelFields<>& fields) { fields.masked[6] = 1; };
  expect_end(fly_all(info, wall, mission_between(info, 1, 1, 5, 1), ConstantPolicy(west), {2}),
             TrajectoryOutcome::obstacle, -1000, 2);
  // An obstacle over the target takes precedence over arrival.
  expect_end(fly_all(info, wall, mission_between(info, 1, 1, 0, 1), ConstantPolicy(west)),
             TrajectoryOutcome::obstacle, -1000, 2);
}

TEST_P(FlightEnds, RunOutOfTime) {
  const auto info = plain_info(9, 3, 4);
  expect_end(fly_all(info, {}, mission_between(info, 0, 1, 5, 1), ConstantPolicy(east)),
             TrajectoryOutcome::out_of_time, -1002, 4);
  // Arrival on the last step counts as arrival.
  expect_end(fly_all(info, {}, mission_between(info, 0, 1, 3, 1), ConstantPolicy(east)),
             TrajectoryOutcome::arrived, 97, 4, 0.5);
}

// A disc of radius 0.75 around the target's centre, 4 cells east of the start.
Mission mission_to_disc(const EnvironmentInfo& info, Objective objective = Objective::time) {
  Mission mission = mission_between(info, 0, 1, 4, 1, objective);
  mission.disc = target_disc(info.grid, 4.5, 1.5, 0.75);
  return mission;
}

TEST_P(FlightEnds, ArriveAtTheEdgeOfTheDisc) {
  const auto info = plain_info(9, 3, 9);
  const auto flown = fly_all(info, {}, mission_to_disc(info), ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 96.75, 5, Ends::in_disc, 0.25);
  EXPECT_EQ(flown.expected.time, 3.25);
  EXPECT_EQ(flown.expected.energy, 3.25);
  for (const auto* rollout : {&flown.chain, &flown.continuous}) {
    const TrajectoryPoint& end = rollout->trajectories[0].points.back();
    EXPECT_DOUBLE_EQ(end.x, 3.75);
    EXPECT_EQ(end.energy, 3.25F);
  }
  // Three cells per step move past it, to x = 6.5.
  const auto past = fly_all(info, eastward(2), mission_to_disc(info), ConstantPolicy(east));
  expect_end(past, TrajectoryOutcome::arrived, 100 - 13.0 / 12, 3, Ends::in_disc, 1.0 / 12, 1e-7);
  EXPECT_NEAR(past.expected.time, 13.0 / 12, 1e-7);
}

TEST_P(FlightEnds, ReachADiscBeforeTheBorder) {
  const auto info = plain_info(5, 3, 9);
  const auto flown = fly_all(info, eastward(2), mission_to_disc(info), ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 100 - 13.0 / 12, 3, Ends::in_disc, 1.0 / 12, 1e-7);
}

TEST_P(FlightEnds, HitAnObstacleBehindTheDiscOnlyInTheModel) {
  const auto info = plain_info(9, 3, 9);
  const auto wall = [](TimeLevel, LevelFields<>& fields) { fields.masked[9 + 6] = 1; };
  const auto flown = fly_all(info, wall, mission_to_disc(info), ConstantPolicy(east), {3});
  EXPECT_EQ(flown.chain.trajectories[0].outcome, TrajectoryOutcome::obstacle);
  EXPECT_EQ(flown.continuous.trajectories[0].outcome, TrajectoryOutcome::arrived);
  // An obstacle before the disc blocks both.
  const auto before = [](TimeLevel, LevelFields<>& fields) { fields.masked[9 + 2] = 1; };
  expect_end(fly_all(info, before, mission_to_disc(info), ConstantPolicy(east), {4}),
             TrajectoryOutcome::obstacle, -1000, 2);
}

TEST_P(FlightEnds, HarvestAPartInAPartialStep) {
  const auto info = plain_info(5, 3, 9);
  auto mission = mission_to_disc(info, Objective::net_energy);
  mission.energy = {.c_f = 1, .c_t = 0, .c_r = 2, .alpha = 0};
  const auto sun = [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.scalar.begin(), fields.scalar.end(), 3.0F);
  };
  // Each of the 3¼ steps is rewarded with −1 + 2·3.
  const auto flown = fly_all(info, sun, mission, ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::arrived, 100 + 3.25 * 5, 5, Ends::in_disc, 0.25);
  EXPECT_EQ(flown.expected.net_energy, 3.25 * -5);
  EXPECT_EQ(flown.chain.trajectories[0].points.back().harvested, 3.25F * 6);
}

TEST_P(FlightEnds, ApplyEachFailurePenalty) {
  const auto info = plain_info(9, 3, 4);
  auto mission = mission_to_disc(info);
  mission.failure = {-90, -80, -70, 2};
  // After three steps the vehicle is 5 cells from the target, of which the disc covers 0.75.
  auto slow = mission_between(info, 0, 1, 8, 1);
  slow.failure = mission.failure;
  slow.disc = target_disc(info.grid, 8.5, 1.5, 0.75);
  expect_end(fly_all(info, {}, slow, ConstantPolicy(east)), TrajectoryOutcome::out_of_time,
             -2 - 70 - 2 * 4.25, 4);
  expect_end(fly_all(info, {}, mission, ConstantPolicy(west)), TrajectoryOutcome::out_of_domain,
             -80, 2);
  const auto wall = [](TimeLevel, LevelFields<>& fields) { fields.masked[9 + 1] = 1; };
  expect_end(fly_all(info, wall, mission, ConstantPolicy(east)), TrajectoryOutcome::obstacle, -90,
             2);
  auto late = mission;
  late.departure = late.last;
  expect_end(fly_all(info, {}, late, ConstantPolicy(no_action)), TrajectoryOutcome::out_of_time,
             -70 - 2 * 3.25, 1);
}

TEST_P(FlightEnds, EndAtTheStart) {
  const auto info = plain_info(6, 3, 4);
  const auto in_target =
      fly_all(info, {}, mission_between(info, 2, 1, 2, 1), ConstantPolicy(no_action));
  expect_end(in_target, TrajectoryOutcome::arrived, 0, 1);
  EXPECT_EQ(in_target.expected.time, 0);
  EXPECT_EQ(in_target.expected.energy, 0);
  const auto masked = [&](TimeLevel, LevelFields<>& fields) { fields.masked[6 + 2] = 1; };
  expect_end(fly_all(info, masked, mission_between(info, 2, 1, 2, 1), ConstantPolicy(no_action)),
             TrajectoryOutcome::obstacle, -1000, 1);
  auto late = mission_between(info, 2, 1, 4, 1);
  late.departure = late.last;
  expect_end(fly_all(info, {}, late, ConstantPolicy(no_action)), TrajectoryOutcome::out_of_time,
             -1000, 1);
}

TEST_P(FlightEnds, FailInOpenWaterWithoutAction) {
  const auto info = plain_info(6, 3, 4);
  expect_end(fly_all(info, {}, mission_between(info, 2, 1, 4, 1), ConstantPolicy(no_action)),
             TrajectoryOutcome::without_action, -1000, 1);
}

TEST_P(FlightEnds, FailInACellThatClosesBeforeTheyLeave) {
  const auto info = plain_info(6, 3, 9);
  for (const auto& [mask, outcome] : {std::pair(closed_by_obstacle, TrajectoryOutcome::obstacle),
                                      {beyond_forecast, TrajectoryOutcome::out_of_forecast}}) {
    const auto closing = [&](TimeLevel k, LevelFields<>& fields) {
      fields.masked[6] = k.value >= 2 ? mask : 0;
    };
    const auto mission = mission_between(info, 0, 1, 5, 1);
    expect_end(fly_all(info, closing, mission, ConstantPolicy(0), {0}), outcome, -1001, 3);
  }
}

TEST_P(FlightEnds, DistinguishTheForecastsEndFromObstacles) {
  const auto info = plain_info(6, 3, 9);
  const auto mission = mission_between(info, 0, 1, 5, 1);
  const auto end_at = [](std::size_t column) {
    return [column](TimeLevel, LevelFields<>& fields) {
      for (std::size_t i = column; i < 6; ++i) fields.masked[6 + i] = beyond_forecast;
    };
  };
  const auto flown = fly_all(info, end_at(3), mission, ConstantPolicy(east));
  expect_end(flown, TrajectoryOutcome::out_of_forecast, -1002, 4);
  EXPECT_DOUBLE_EQ(flown.continuous.trajectories[0].points.back().x, 3.0);  // at its edge
  expect_end(fly_all(info, end_at(3), mission, ConstantPolicy(east), {2}),
             TrajectoryOutcome::out_of_forecast, -1001, 3);
  // The forecast may also end at one level only, or at the start.
  for (const int level : {1, 2}) {
    const auto passing = [&](TimeLevel k, LevelFields<>& fields) {
      fields.masked[6 + 2] = k.value == level ? beyond_forecast : 0;
    };
    expect_end(fly_all(info, passing, mission, ConstantPolicy(east)),
               TrajectoryOutcome::out_of_forecast, -1001, 3);
  }
  expect_end(fly_all(info, end_at(0), mission, ConstantPolicy(no_action)),
             TrajectoryOutcome::out_of_forecast, -1000, 1);
}

TEST_P(FlightEnds, HitAnObstacleBeforeTheForecastsEnd) {
  const auto info = plain_info(6, 3, 9);
  const auto mission = mission_between(info, 1, 1, 5, 1);
  const auto both = [](TimeLevel, LevelFields<>& fields) {
    fields.masked[6 + 2] = closed_by_obstacle;
    fields.masked[6 + 3] = fields.masked[6 + 4] = beyond_forecast;
  };
  expect_end(fly_all(info, both, mission, ConstantPolicy(east), {2}), TrajectoryOutcome::obstacle,
             -1000, 2);
  // A cell that closes where the forecast has ended is an obstacle.
  const auto closed_after_the_forecast = [](TimeLevel k, LevelFields<>& fields) {
    fields.masked[6 + 2] = k.value == 0 ? beyond_forecast : closed_by_obstacle;
  };
  expect_end(fly_all(info, closed_after_the_forecast, mission, ConstantPolicy(east)),
             TrajectoryOutcome::obstacle, -1000, 2);
}

TEST_P(FlightEnds, RejectUnknownActions) {
  const auto info = plain_info(6, 3, 4);
  EXPECT_THROW(fly_all(info, {}, mission_between(info, 2, 1, 4, 1), ConstantPolicy(4)), InputError);
}

TEST_P(FlightEnds, RejectAFlowThatIsTooFast) {
  const auto info = plain_info(6, 3, 4);
  EXPECT_THROW(
      fly_all(info, eastward(1024), mission_between(info, 2, 1, 4, 1), ConstantPolicy(east)),
      InputError);
}

// A policy that heads east until a level, from which on its actions are invalid.
class ValidUntil final : public PolicySource {
 public:
  explicit ValidUntil(TimeLevel end) : end_(end) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    std::fill(action.begin(), action.end(), static_cast<std::int16_t>(k < end_ ? east : 99));
  }
  void read_value(TimeLevel, View<float>) const override {}

 private:
  TimeLevel end_;
};

TEST_P(FlightEnds, DoNotReadThePolicyAfterTheirEnd) {
  // At one cell per step, a flight from the fifth of 10 columns leaves in its sixth step.
  const auto info = plain_info(10, 3, 12);
  const auto mission = mission_between(info, 4, 1, 0, 1);
  expect_end(fly_all(info, {}, mission, ValidUntil(TimeLevel(6))), TrajectoryOutcome::out_of_domain,
             -1005, 7);
  EXPECT_THROW(fly_all(info, {}, mission, ValidUntil(TimeLevel(4))), InputError);
}

INSTANTIATE_TEST_SUITE_P(Backends, FlightEnds, testing::ValuesIn(all_backends), name_of_backend);

}  // namespace
}  // namespace tidewise::test
