// Missions with via points (docs/model.md, 3.7). Results of every backend are compared with hand
// calculations, and values with the forward evaluation and flights.

#include "solver/legs/legs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solver/evaluate/group_evaluation.h"
#include "solver/fly/battery.h"
#include "solver/fly/rollout.h"
#include "solver/policy/memory.h"
#include "solver/route/mean_flight.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::plain_info;
using test::via_point;

// A policy of several legs in memory.
struct SolvedLegs {
  SolvedLegs(const EnvironmentReader& environment, const PlanningProblem& problem,
             const test::SolvingBackend& backend)
      : grid(environment.info().grid), policy(grid, problem.mission) {
    backend.solve(environment, problem, policy);
  }
  float value(std::size_t leg, int k, int i, int j) const {
    return policy.tables[leg]
        .value[static_cast<std::size_t>(k * grid.cell_count() + grid.cell(i, j).value)];
  }
  int action(std::size_t leg, int k, int i, int j) const {
    return policy.tables[leg]
        .action[static_cast<std::size_t>(k * grid.cell_count() + grid.cell(i, j).value)];
  }

  Grid grid;
  test::LegTables policy;
};

class Legs : public testing::TestWithParam<test::SolvingBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
  test::TemporaryFolder folder_;
};

// From (0, 1) via (2, 3) and (4, 0) to (6, 1) in still water, one cell per step.
Mission detour(const EnvironmentInfo& info) {
  Mission mission;
  mission.start = info.grid.cell(0, 1);
  mission.start_x = info.grid.x(0);
  mission.start_y = info.grid.y(1);
  mission.target = target_cells(info.grid, info.grid.x(6), info.grid.y(1), 0);
  mission.disc = target_disc(info.grid, info.grid.x(6), info.grid.y(1), 0);
  mission.last = TimeLevel(info.time.level_count - 1);
  mission.failure = {-900, -800, -200, 2};
  mission.via = {via_point(info.grid, {{2, 3}}, 8), via_point(info.grid, {{4, 0}}, 3)};
  return mission;
}

TEST_P(Legs, SolveStillWaterByHand) {
  const auto info = plain_info(7, 4, 16);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  const Mission mission = detour(info);
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const SolvedLegs solved(reader, {actions, mission, test::by_cell}, GetParam());
  // 4 steps to (2, 3), 5 more to (4, 0), 3 more to (6, 1).
  EXPECT_EQ(solved.value(0, 0, 0, 1), 100.0F - 12);
  EXPECT_EQ(solved.value(1, 0, 2, 3), 100.0F - 8);
  EXPECT_EQ(solved.value(0, 0, 2, 3), 100.0F - 8) << "the next leg begins at (2, 3)";
  EXPECT_EQ(solved.action(0, 0, 2, 3), solved.action(1, 0, 2, 3));
  EXPECT_EQ(solved.value(2, 0, 4, 0), 100.0F - 3);
  EXPECT_EQ(solved.value(2, 0, 6, 1), 0.0F);
  EXPECT_EQ(solved.value(0, 0, 6, 1), 100.0F - 14) << "the target ends only the last leg";
  EXPECT_EQ(solved.value(0, 0, 4, 0), 100.0F - 5 - 8) << "places are passed in their order";
  // One step is missing: at the last level, the vehicle is one cell before the target.
  EXPECT_EQ(solved.value(0, 4, 0, 1), -10.0F - 200 - 2 * 1);
  // At the last level before the first via point, the penalty covers the rest of the route, too.
  EXPECT_EQ(solved.value(0, 15, 0, 1), -200.0F - 2 * 8 - static_cast<float>(2 * std::hypot(2, 2)));
  EXPECT_EQ(solved.value(0, 15, 2, 3), -200.0F - 2 * 8) << "who is in a place then is late";
}

TEST_P(Legs, PassAViaPointWithinTheNextAtOnce) {
  const auto info = plain_info(7, 4, 16);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission = detour(info);
  mission.via[1] = via_point(info.grid, {{1, 3}, {2, 3}, {3, 3}}, 5);
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const SolvedLegs solved(reader, {actions, mission, test::by_cell}, GetParam());
  EXPECT_EQ(solved.value(0, 0, 0, 1), 100.0F - 10);
}

INSTANTIATE_TEST_SUITE_P(Backends, Legs, testing::ValuesIn(test::solving_backends()),
                         [](const auto& test) { return test.param.name; });

class LegFlights : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  SilentProgress progress_;
};

TEST_F(LegFlights, PassViaPointsInOrder) {
  auto info = plain_info(7, 4, 16);
  info.realization_count = 100;  // more than one thread's share
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  const Mission mission = detour(info);
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const PlanningProblem problem{actions, mission, test::by_cell};
  const SolvedLegs solved(reader, problem, test::solving_backends().front());
  for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
    for (const std::int32_t threads : {1, 3}) {
      RolloutOptions options;
      options.mode = mode;
      options.threads = threads;
      const RolloutResult flown = fly(reader, problem, solved.policy, options, progress_);
      ASSERT_EQ(flown.trajectories.size(), 100u);
      for (const Trajectory& flight : flown.trajectories) {
        EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived);
        EXPECT_EQ(flight.passed, (std::vector<std::int32_t>{4, 9}));
        EXPECT_EQ(flight.total_reward, 100.0 - flight.steps());
        EXPECT_EQ(flight.points[4].x, info.grid.x(2));
        EXPECT_EQ(flight.points[9].y, info.grid.y(0));
      }
    }
  }
  const Trajectory nominal = fly_through_mean(reader, problem, solved.policy, progress_);
  EXPECT_EQ(nominal.passed, (std::vector<std::int32_t>{4, 9}));
  EXPECT_EQ(nominal.outcome, TrajectoryOutcome::arrived);
}

TEST_F(LegFlights, FollowAllLegsOfAPolicyInMemory) {
  const auto info = plain_info(7, 4, 16);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  const Mission mission = detour(info);
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const PlanningProblem problem{actions, mission, test::by_cell};
  PolicyMemory policy(info.grid, mission.last, {TimeLevel(0)}, 3);
  solve_mission(reader, problem, {}, policy, progress_);
  const PolicyMemory moved_policy = std::move(policy);
  const RolloutResult flown = fly(reader, problem, moved_policy, {}, progress_);
  EXPECT_EQ(flown.trajectories.front().passed, (std::vector<std::int32_t>{4, 9}));
  std::vector<float> value(static_cast<std::size_t>(info.grid.cell_count()));
  moved_policy.leg(2).read_value(TimeLevel(0), value);
  EXPECT_EQ(value[static_cast<std::size_t>(info.grid.cell(4, 0).value)], 100.0F - 3);
  EXPECT_EQ(test::evaluate_policy(reader, problem, moved_policy, 1, progress_).time, 12.0);
}

TEST_F(LegFlights, PassAViaPointAtTheStart) {
  const auto info = plain_info(7, 4, 16);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission = detour(info);
  mission.via[0] = via_point(info.grid, {{0, 1}}, 8);
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const PlanningProblem problem{actions, mission, test::by_cell};
  const SolvedLegs solved(reader, problem, test::solving_backends().front());
  const RolloutResult flown = fly(reader, problem, solved.policy, {}, progress_);
  EXPECT_EQ(flown.trajectories.front().passed, (std::vector<std::int32_t>{0, 5}));
  const ExpectedOutcome outcome =
      test::evaluate_policy(reader, problem, solved.policy, 1, progress_);
  EXPECT_EQ(outcome.value, 100.0 - 8);
  EXPECT_EQ(outcome.time, 8.0);
}

TEST_F(LegFlights, HaveThePredictedValueWhenTimeIsUp) {
  const auto info = plain_info(7, 4, 8);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  const Mission mission = detour(info);
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const PlanningProblem problem{actions, mission, test::by_cell};
  const SolvedLegs solved(reader, problem, test::solving_backends().front());
  const float predicted = solved.value(0, 0, 0, 1);
  EXPECT_LT(predicted, -200.0F);
  RolloutOptions options;
  options.mode = RolloutMode::chain;
  const RolloutResult flown = fly(reader, problem, solved.policy, options, progress_);
  EXPECT_EQ(flown.trajectories.front().outcome, TrajectoryOutcome::out_of_time);
  EXPECT_EQ(flown.trajectories.front().passed, (std::vector<std::int32_t>{4}));
  EXPECT_NEAR(flown.trajectories.front().total_reward, predicted, 1e-4);
  EXPECT_NEAR(test::evaluate_policy(reader, problem, solved.policy, 1, progress_).value, predicted,
              1e-4);
}

TEST_F(LegFlights, KeepPassedViaPointsWhenTheBatteryIsEmpty) {
  const auto info = plain_info(7, 4, 16);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission = detour(info);
  mission.battery = 6.5;  // a step costs 1
  mission.energy.c_t = 0;
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const PlanningProblem problem{actions, mission, test::by_cell};
  const SolvedLegs solved(reader, problem, test::solving_backends().front());
  RolloutResult flown = fly(reader, problem, solved.policy, {}, progress_);
  Trajectory& flight = flown.trajectories.front();
  drain(flight, mission, info.time.step);
  EXPECT_EQ(flight.outcome, TrajectoryOutcome::out_of_energy);
  EXPECT_EQ(flight.passed, (std::vector<std::int32_t>{4}));
  EXPECT_NEAR(flight.total_reward, -6.5 - 200 - 2 * 3, 1e-6);
}

}  // namespace
}  // namespace tidewise
