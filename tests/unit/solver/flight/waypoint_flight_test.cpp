// Flights from waypoint to waypoint, compared with results by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "env/mask.h"
#include "solver/fly/baseline_rollout.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/route/mean_flight.h"
#include "solver/route/waypoint_rollout.h"
#include "unit/solver/flight/flight_by_hand.h"

namespace tidewise::test {
namespace {

class WaypointFlight : public testing::Test {
 protected:
  static Mission mission_to(const EnvironmentInfo& info, int start_i, int start_j, int target_i,
                            int target_j) {
    Mission mission = mission_between(info, start_i, start_j, target_i, target_j);
    mission.target_x = info.grid.x(target_i);
    mission.target_y = info.grid.y(target_j);
    return mission;
  }

  WaypointFlights fly(const EnvironmentInfo& info, const FillLevel& fill, const Mission& mission,
                      const std::vector<WaypointAim>& aims, double radius) {
    return fly_all(info, fill, mission, aims, {radius}).at(0);
  }
  std::vector<WaypointFlights> fly_all(const EnvironmentInfo& info, const FillLevel& fill,
                                       const Mission& mission, const std::vector<WaypointAim>& aims,
                                       const std::vector<double>& radii) {
    write_environment(folder_ / "env.h5", info, fill);
    const EnvironmentReader reader(folder_ / "env.h5");
    SilentProgress silent;
    RolloutOptions options;
    options.threads = 2;
    return fly_waypoints(reader, mission, aims, 0, radii, options, silent);
  }

  static FillLevel northwards(float v) {
    return [v](TimeLevel, LevelFields<>& fields) {
      std::fill(fields.v_mean.begin(), fields.v_mean.end(), v);
    };
  }

  TemporaryFolder folder_;
};

TEST_F(WaypointFlight, TakesTheLengthOfItsLegsInStillWater) {
  const auto info = plain_info(30, 30, 60);
  const Mission mission = mission_to(info, 2, 3, 14, 20);
  // 12 east at 1, 12 north at 2, 5 north at 0.5. The target's cell begins half a cell earlier.
  const auto flown =
      fly(info, {}, mission, {{{14.5, 3.5}, 1}, {{14.5, 15.5}, 2}, {{14.5, 20.5}, 0.5}}, 0.001);
  const FlightEnd& end = flown.ends.at(0);
  EXPECT_EQ(end.outcome, TrajectoryOutcome::arrived);
  EXPECT_NEAR(flown.reached.at(0), 12, 0.01);
  EXPECT_NEAR(flown.reached.at(1), 18, 0.01);
  EXPECT_NEAR(flown.reached.at(2), 27, 0.01);
  EXPECT_NEAR(end.time, flown.reached.at(2), 1e-6);
  EXPECT_NEAR(end.energy, 12 * 1 + 6 * 4 + 9 * 0.25, 0.05);
  EXPECT_NEAR(end.total_reward, 100 - 27, 0.01);
}

// The current helps on one profile and opposes on the other. Each leg has the flow of its own
// profile, and the next leg begins where the waypoint is reached, within a step.
TEST_F(WaypointFlight, UsesTheProfileOfEachLeg) {
  auto info = plain_info(30, 5, 60);
  info.profiles = {{"shallow", "0:200"}, {"deep", "0:1000"}};
  const Mission mission = mission_to(info, 2, 2, 25, 2);
  write_profiles(
      folder_ / "env.h5", info, [](TimeLevel, std::size_t profile, LevelFields<>& fields) {
        std::fill(fields.u_mean.begin(), fields.u_mean.end(), profile == 0 ? 0.5F : -0.25F);
      });
  EnvironmentReader reader(folder_ / "env.h5");
  reader.choose_profiles({"shallow", "deep"});
  SilentProgress silent;
  RolloutOptions options;
  options.threads = 2;
  const auto times = [&](std::int32_t first, std::int32_t second) {
    const std::vector<WaypointAim> aims{{{12.5, 2.5}, 1, first}, {{25.5, 2.5}, 1, second}};
    return fly_waypoints(reader, mission, aims, 0, {0.25}, options, silent).at(0).reached;
  };
  const double to_first = 10 - 0.25;
  const double to_target = 12.5 + 0.25;  // its cell begins half a cell before
  EXPECT_NEAR(times(0, 1).at(0), to_first / 1.5, 0.01);
  EXPECT_NEAR(times(0, 1).at(1), to_first / 1.5 + to_target / 0.75, 0.02);
  EXPECT_NEAR(times(1, 0).at(1), to_first / 0.75 + to_target / 1.5, 0.02);
  EXPECT_NEAR(times(1, 1).at(1), (to_first + to_target) / 0.75, 0.02);
}

// Steps are as long as a cell, so the vehicle must also steer within a step.
TEST_F(WaypointFlight, FollowsThePursuitCurveAcrossACurrent) {
  const auto info = plain_info(40, 40, 90);
  const double radius = 0.05;
  for (const double speed : {1.0, 1.5, 3.0}) {
    const Mission mission = mission_to(info, 1, 8, 38, 38);
    const auto flown =
        fly(info, northwards(0.6F), mission, {{{31.5, 8.5}, speed}, {{38.5, 38.5}, speed}}, radius);
    const double pursuit = 30 * speed / (speed * speed - 0.36);
    // At the end it approaches against the current, with F − c.
    EXPECT_NEAR(flown.reached.at(0), pursuit - radius / (speed - 0.6), 0.02 * pursuit) << speed;
  }
}

TEST_F(WaypointFlight, RecordsTimesOfEachRealization) {
  auto info = plain_info(30, 5, 60, 1, 2);
  const Mission mission = mission_to(info, 2, 2, 25, 2);
  const auto fill = [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 0.5F);
    fields.coefficient[0] = -1;
    fields.coefficient[1] = 1;
  };
  const auto flown = fly(info, fill, mission, {{{12.5, 2.5}, 1}, {{25.5, 2.5}, 1}}, 0.25);
  ASSERT_EQ(flown.ends.size(), 2u);
  EXPECT_NEAR(flown.reached.at(0), (10 - 0.25) / 0.5, 0.01);
  EXPECT_NEAR(flown.reached.at(2), (10 - 0.25) / 1.5, 0.01);
  EXPECT_NEAR(flown.reached.at(1), 22.5 / 0.5, 0.01);
  EXPECT_NEAR(flown.reached.at(3), 22.5 / 1.5, 0.01);
  const Spread window =
      spread_over(flown.ends, {flown.reached[0], flown.reached[2]}, RolloutMode::continuous, info);
  EXPECT_EQ(window.p05, flown.reached[2]);
  EXPECT_EQ(window.p95, flown.reached[0]);
}

// With a radius of six, the first waypoint counts as reached soon after departure. It is passed
// when the vehicle is at it. The target's edge is half a cell from its point.
TEST_F(WaypointFlight, PassesAPointAtItsPosition) {
  const auto info = plain_info(60, 7, 90);
  Mission mission = mission_to(info, 2, 3, 40, 3);
  for (const double current : {0.0, 0.75, -0.25}) {
    const auto along_x = [&](TimeLevel, LevelFields<>& fields) {
      std::fill(fields.u_mean.begin(), fields.u_mean.end(), static_cast<float>(current));
    };
    const auto flown =
        fly(info, along_x, mission, {{{10.5, 3.5}, 1}, {{22.5, 3.5}, 1}, {{40.5, 3.5}, 1}}, 6);
    const double over_ground = 1 + current;
    EXPECT_NEAR(flown.reached.at(0), 2 / over_ground, 0.01);
    EXPECT_NEAR(flown.passed.at(0), 8 / over_ground, 0.01);
    EXPECT_NEAR(flown.reached.at(1), 14 / over_ground, 0.01);
    EXPECT_NEAR(flown.passed.at(1), 20 / over_ground, 0.01);
    EXPECT_NEAR(flown.reached.at(2), 37.5 / over_ground, 0.01);
    EXPECT_NEAR(flown.passed.at(2), 38 / over_ground, 0.01);
    EXPECT_NEAR(flown.ends.at(0).time, flown.reached.at(2), 1e-6);
  }
}

// The vehicle turns before the corner and passes it at the nearest point of the new leg, or, after
// a sharp turn, at the turn.
TEST_F(WaypointFlight, PassesACornerAtTheNearestPosition) {
  const auto info = plain_info(40, 40, 90);
  const Mission mission = mission_to(info, 2, 2, 22, 32);
  const auto flown = fly(info, {}, mission, {{{22.5, 2.5}, 1}, {{22.5, 32.5}, 1}}, 4);
  EXPECT_NEAR(flown.reached.at(0), 16, 0.01);
  const double leg = std::hypot(4, 30);
  EXPECT_NEAR(flown.passed.at(0), 16 + 16 / leg, 0.01);
  const Mission back = mission_to(info, 2, 2, 2, 12);
  const auto turned = fly(info, {}, back, {{{22.5, 2.5}, 1}, {{2.5, 12.5}, 1}}, 4);
  EXPECT_NEAR(turned.passed.at(0), turned.reached.at(0), 1e-6);
}

TEST_F(WaypointFlight, PassesPointsInOrder) {
  const auto info = plain_info(40, 40, 120);
  const Mission mission = mission_to(info, 2, 2, 30, 30);
  std::vector<WaypointAim> aims;
  for (int n = 1; n <= 12; ++n) {  // a zigzag within one circle and the next
    aims.push_back({{2.5 + 2 * n, 2.5 + 2 * n + (n % 2 == 0 ? 3.0 : -3.0)}, 1});
  }
  aims.push_back({{30.5, 30.5}, 1});
  const auto flown = fly(info, northwards(0.2F), mission, aims, 8);
  EXPECT_EQ(flown.ends.at(0).outcome, TrajectoryOutcome::arrived);
  for (std::size_t n = 0; n < aims.size(); ++n) {
    EXPECT_GE(flown.passed[n], flown.reached[n]) << n;
    if (n > 0) {
      EXPECT_GE(flown.passed[n], flown.passed[n - 1]) << n;
    }
  }
}

TEST_F(WaypointFlight, PassesSeveralWaypointsInAStep) {
  const auto info = plain_info(30, 30, 20);
  const Mission mission = mission_to(info, 2, 2, 20, 2);
  std::vector<WaypointAim> aims;
  for (int n = 1; n <= 9; ++n) aims.push_back({{2.5 + 0.3 * n, 2.5}, 6});
  aims.push_back({{20.5, 2.5}, 6});
  const auto flown = fly(info, {}, mission, aims, 0.05);
  for (int n = 1; n <= 9; ++n) {
    EXPECT_NEAR(flown.reached.at(static_cast<std::size_t>(n - 1)), (0.3 * n - 0.05) / 6, 1e-3);
  }
  EXPECT_NEAR(flown.ends.at(0).time, 17.5 / 6, 1e-3);
}

TEST_F(WaypointFlight, HitsAWallWhileItExists) {
  const auto info = plain_info(20, 5, 40);
  const Mission mission = mission_to(info, 2, 2, 16, 2);
  const auto wall_until = [&](std::int32_t level) {
    return [&info, level](TimeLevel k, LevelFields<>& fields) {
      for (std::int32_t j = 0; k.value < level && j < 5; ++j) {
        fields.masked[static_cast<std::size_t>(info.grid.cell(10, j).value)] = 1;
      }
    };
  };
  const std::vector<WaypointAim> aims{{{8.5, 2.5}, 1}, {{16.5, 2.5}, 1}};
  const auto blocked = fly(info, wall_until(40), mission, aims, 0.25);
  EXPECT_EQ(blocked.ends.at(0).outcome, TrajectoryOutcome::obstacle);
  EXPECT_NEAR(blocked.ends.at(0).total_reward, -7 + double(mission.failure.obstacle), 1e-9);
  EXPECT_NEAR(blocked.ends.at(0).time, 7.5, 0.01);  // from 2.5 to the wall's side at 10
  EXPECT_NEAR(blocked.reached.at(0), 5.75, 0.01);
  EXPECT_TRUE(std::isnan(blocked.reached.at(1)));
  EXPECT_NEAR(blocked.passed.at(0), 6, 0.01);
  EXPECT_TRUE(std::isnan(blocked.passed.at(1)));
  // The vehicle reaches the wall after 7.5: a wall at level 7 blocks it, an earlier one does not.
  EXPECT_EQ(fly(info, wall_until(8), mission, aims, 0.25).ends.at(0).outcome,
            TrajectoryOutcome::obstacle);
  EXPECT_EQ(fly(info, wall_until(7), mission, aims, 0.25).ends.at(0).outcome,
            TrajectoryOutcome::arrived);
}

TEST_F(WaypointFlight, DistinguishesTheForecastsEndFromAWall) {
  const auto info = plain_info(20, 5, 40);
  const Mission mission = mission_to(info, 2, 2, 16, 2);
  const auto end = [&info](TimeLevel, LevelFields<>& fields) {
    for (std::int32_t j = 0; j < 5; ++j) {
      fields.masked[static_cast<std::size_t>(info.grid.cell(10, j).value)] = beyond_forecast;
    }
  };
  const auto flown = fly(info, end, mission, {{{16.5, 2.5}, 1}}, 0.25);
  EXPECT_EQ(flown.ends.at(0).outcome, TrajectoryOutcome::out_of_forecast);
  EXPECT_NEAR(flown.ends.at(0).total_reward, -7 + double(mission.failure.obstacle), 1e-9);
  EXPECT_NEAR(flown.ends.at(0).time, 7.5, 0.01);
}

// As in flights of a policy, the cell in which a step begins blocks only a vehicle that stays in
// it.
TEST_F(WaypointFlight, LeavesACellThatCloses) {
  const auto info = plain_info(20, 5, 40);
  const Mission mission = mission_to(info, 2, 2, 16, 2);
  const auto closing = [&](TimeLevel k, LevelFields<>& fields) {
    if (k.value >= 1) fields.masked[static_cast<std::size_t>(info.grid.cell(2, 2).value)] = 1;
  };
  EXPECT_EQ(fly(info, closing, mission, {{{16.5, 2.5}, 1}}, 0.25).ends.at(0).outcome,
            TrajectoryOutcome::arrived);
  EXPECT_EQ(fly(info, closing, mission, {{{16.5, 2.5}, 0.25}}, 0.25).ends.at(0).outcome,
            TrajectoryOutcome::obstacle);
}

TEST_F(WaypointFlight, EndsAtTheBorderAndWhenTimeIsUp) {
  const auto info = plain_info(20, 9, 20);
  const Mission mission = mission_to(info, 2, 4, 16, 4);
  const auto carried = fly(info, northwards(2), mission, {{{16.5, 4.5}, 1}}, 0.25);
  EXPECT_EQ(carried.ends.at(0).outcome, TrajectoryOutcome::out_of_domain);
  // The target's cell is 13.5 away, and 19 steps are left.
  EXPECT_EQ(fly(info, {}, mission, {{{16.5, 4.5}, 13.6 / 19}}, 0.25).ends.at(0).outcome,
            TrajectoryOutcome::arrived);
  const auto late = fly(info, {}, mission, {{{16.5, 4.5}, 13.4 / 19}}, 0.25);
  EXPECT_EQ(late.ends.at(0).outcome, TrajectoryOutcome::out_of_time);
  EXPECT_EQ(late.ends.at(0).time, 19);
}

// With short steps, a flight with the target as its only waypoint is that of the baseline `aim`.
TEST_F(WaypointFlight, SteersOnlyForTheTarget) {
  auto info = plain_info(34, 34, 60 * 16);
  info.time.step = 1.0 / 16;
  const Mission mission = mission_to(info, 1, 8, 31, 20);
  const auto flown = fly(info, northwards(-0.5F), mission, {{{31.5, 20.5}, 1}}, 0.5);
  const EnvironmentReader reader(folder_ / "env.h5");
  SilentProgress silent;
  const auto baselines = fly_baselines(reader, mission, {1}, {}, silent);
  ASSERT_EQ(baselines.at(0).baseline, Baseline::aim);
  EXPECT_EQ(baselines.at(0).ends.at(0).outcome, TrajectoryOutcome::arrived);
  EXPECT_NEAR(flown.ends.at(0).time, baselines.at(0).ends.at(0).time, 0.05);
}

TEST_F(WaypointFlight, MatchesSingleRadiiWithSeveralRadii) {
  const auto info = plain_info(30, 30, 60);
  const Mission mission = mission_to(info, 2, 3, 20, 20);
  const std::vector<WaypointAim> aims{{{14.5, 3.5}, 1}, {{14.5, 15.5}, 1}, {{20.5, 20.5}, 1}};
  const std::vector<double> radii{0.5, 2, 4};
  const auto flown = fly_all(info, northwards(0.3F), mission, aims, radii);
  ASSERT_EQ(flown.size(), radii.size());
  for (std::size_t n = 0; n < radii.size(); ++n) {
    const auto single = fly(info, northwards(0.3F), mission, aims, radii[n]);
    EXPECT_EQ(flown[n].capture_radius, radii[n]);
    EXPECT_EQ(flown[n].reached, single.reached);
    EXPECT_EQ(flown[n].ends.at(0).total_reward, single.ends.at(0).total_reward);
  }
  // Larger radii cut corners.
  EXPECT_LT(flown[2].ends.at(0).time, flown[0].ends.at(0).time);
}

TEST_F(WaypointFlight, IgnoresModesInTheMeanFlow) {
  auto info = plain_info(30, 5, 60, 2, 3);
  const Mission mission = mission_to(info, 2, 2, 25, 2);
  write_environment(folder_ / "env.h5", info, [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), 0.25F);
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 7.0F);
    std::fill(fields.coefficient.begin(), fields.coefficient.end(), 1.0F);
  });
  const EnvironmentReader reader(folder_ / "env.h5");
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const ConstantPolicy policy(east);
  SilentProgress silent;
  const Trajectory flight =
      fly_through_mean(reader, {actions, mission, test::by_cell}, policy, silent);
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived);
  EXPECT_EQ(flight.realization, no_realization);
  EXPECT_NEAR(flight.steps(), 22.5 / 1.25, 1e-6);
  EXPECT_EQ(flight.points.size(), 19u);
  EXPECT_NEAR(flight.points[4].x, 2.5 + 4 * 1.25, 1e-9);
  EXPECT_EQ(flight.points[4].speed, 1);
  EXPECT_TRUE(std::isnan(flight.points.back().heading));
}

}  // namespace
}  // namespace tidewise::test
