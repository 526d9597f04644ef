#pragma once

// Flights over a few cells, with results that were calculated by hand: the forward evaluation, and
// flights in chain and continuous mode.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/fly/rollout.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/policies.h"
#include "support/temporary_folder.h"

namespace tidewise::test {

inline constexpr std::int16_t east = 0;
inline constexpr std::int16_t north = 1;
inline constexpr std::int16_t west = 2;

/// A mission between two cells.
inline Mission mission_between(const EnvironmentInfo& info, int start_i, int start_j, int target_i,
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

/// A uniform eastward flow.
inline FillLevel eastward(float u) {
  return [u](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), u);
  };
}

/// A policy's evaluation, and its flights in chain and continuous mode.
struct Flown {
  ExpectedOutcome expected;
  RolloutResult chain;
  RolloutResult continuous;
};

/// Evaluates and flies policies on each backend.
class FlightByHand : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam()); }

  Flown fly_all(const EnvironmentInfo& info, const FillLevel& fill, const Mission& mission,
                const PolicySource& policy, const std::vector<double>& speeds = {1}) {
    write_environment(folder_ / "env.h5", info, fill);
    const EnvironmentReader reader(folder_ / "env.h5");
    const auto actions = make_actions(speeds, 4, info.grid, info.time);
    RolloutOptions chain;
    chain.mode = RolloutMode::chain;
    return {evaluate_on(GetParam(), reader, {actions, mission, test::by_cell}, policy),
            fly_on(GetParam(), reader, {actions, mission, test::by_cell}, policy, chain),
            fly_on(GetParam(), reader, {actions, mission, test::by_cell}, policy, {})};
  }

  /// The region whose edge ends a flight within its last step: the target's cell, in continuous
  /// mode only, or the target's disc, in all modes.
  enum class Ends { in_cell, in_disc };

  /// Expects the same end, reward and number of points in all modes of a deterministic flight whose
  /// steps cost 1. Only `last_step`, the share of the last step that is made, may differ: it is 1
  /// in chain mode unless the flight ends in a disc.
  static void expect_end(const Flown& flown, TrajectoryOutcome outcome, double reward,
                         std::size_t points, double last_step = 1) {
    expect_end(flown, outcome, reward, points, Ends::in_cell, last_step);
  }
  static void expect_end(const Flown& flown, TrajectoryOutcome outcome, double reward,
                         std::size_t points, Ends ends, double last_step, double margin = 1e-12) {
    for (const RolloutResult* rollout : {&flown.chain, &flown.continuous}) {
      SCOPED_TRACE(std::string(to_string(rollout->mode)));
      const Trajectory& trajectory = rollout->trajectories.at(0);
      EXPECT_EQ(trajectory.outcome, outcome);
      const bool in_all_modes = ends == Ends::in_disc;
      const double share = in_all_modes || rollout == &flown.continuous ? last_step : 1;
      EXPECT_NEAR(trajectory.total_reward, in_all_modes ? reward : reward + 1 - share, margin);
      EXPECT_NEAR(trajectory.last_step, share, margin);
      EXPECT_EQ(trajectory.points.size(), points);
      EXPECT_TRUE(std::isnan(trajectory.points.back().heading));
    }
    const ExpectedOutcome& expected = flown.expected;
    EXPECT_NEAR(expected.value, reward, margin);
    EXPECT_EQ(expected.arrival_probability, outcome == TrajectoryOutcome::arrived ? 1 : 0);
    EXPECT_EQ(expected.obstacle_probability, outcome == TrajectoryOutcome::obstacle ? 1 : 0);
    EXPECT_EQ(expected.out_of_domain_probability,
              outcome == TrajectoryOutcome::out_of_domain ? 1 : 0);
    EXPECT_EQ(expected.out_of_time_probability, outcome == TrajectoryOutcome::out_of_time ? 1 : 0);
    EXPECT_EQ(expected.without_action_probability,
              outcome == TrajectoryOutcome::without_action ? 1 : 0);
    EXPECT_EQ(expected.out_of_forecast_probability,
              outcome == TrajectoryOutcome::out_of_forecast ? 1 : 0);
    EXPECT_EQ(std::isnan(expected.time), outcome != TrajectoryOutcome::arrived);
  }

  TemporaryFolder folder_;
};

}  // namespace tidewise::test
