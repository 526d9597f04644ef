// Action hold (docs/model.md, 3.9), also with via points. Results of every backend are compared
// with hand calculations and plain loops, and values with the forward evaluation and flights.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/fly/baseline_rollout.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/reachable/file_levels.h"
#include "solver/reachable/solver.h"
#include "solver/route/mean_flight.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/policies.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"
#include "support/temporary_folder.h"
#include "unit/solver/flight/flight_on_gyre.h"

namespace tidewise {
namespace {

using test::plain_info;

struct Solution {
  Grid grid;
  PolicyTable policy;
  float value(int k, int i, int j) const { return policy.value[index(k, i, j)]; }
  int action(int k, int i, int j) const { return policy.action[index(k, i, j)]; }
  std::size_t index(int k, int i, int j) const {
    const auto cells = static_cast<std::size_t>(grid.cell_count());
    return static_cast<std::size_t>(k) * cells + static_cast<std::size_t>(grid.cell(i, j).value);
  }
};

// A copy of a mission with these decisions.
Mission with_decisions(Mission mission, std::int32_t every, std::int32_t phase) {
  mission.decisions = {every, TimeLevel(phase)};
  return mission;
}

TEST(Decisions, CountStepsBeforeAndAfterTheirPhase) {
  const Decisions decisions{3, TimeLevel(4)};
  const std::vector<std::int32_t> since{2, 0, 1, 2, 0, 1, 2, 0};
  for (std::int32_t k = 0; k < 8; ++k) {
    EXPECT_EQ(decisions.since(TimeLevel(k)), since[static_cast<std::size_t>(k)]) << k;
    EXPECT_EQ(decisions.until_next(TimeLevel(k)), 3 - since[static_cast<std::size_t>(k)]) << k;
  }
}

class ActionHold : public testing::TestWithParam<test::SolvingBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
  Solution solve(const EnvironmentReader& reader, const PlanningProblem& problem) const {
    Solution solved{reader.info().grid, PolicyTable(reader.info().grid, problem.mission.last)};
    GetParam().solve(reader, problem, solved.policy);
    return solved;
  }
  test::TemporaryFolder folder_;
};

// Still water of five cells by four, one cell per step along eight headings with diagonals: from
// (0, 0) to (2, 1) it takes two steps, east and north-east.
TEST_P(ActionHold, SolveStillWaterByHand) {
  const auto info = plain_info(5, 4, 8);
  test::write_environment(folder_ / "env.h5", info);
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission;
  mission.target = target_cells(info.grid, 2.5, 1.5, 0);
  mission.last = TimeLevel(7);
  const auto actions = make_actions({1}, 8, info.grid, info.time);
  enum { east, north_east, north, north_west, west };

  const Solution every_step = solve(reader, {actions, mission, test::by_cell});
  EXPECT_EQ(every_step.value(0, 0, 0), 98.0F);

  // The vehicle moves east twice or north-east twice, and then back by one additional step.
  const Mission mission_2 = with_decisions(mission, 2, 0);
  const Solution every_2 = solve(reader, {actions, mission_2, test::by_cell});
  EXPECT_EQ(every_2.value(0, 0, 0), 97.0F);
  EXPECT_EQ(every_2.action(0, 0, 0), east);
  EXPECT_EQ(every_2.action(2, 2, 0), north);
  EXPECT_EQ(every_2.value(2, 2, 0), 99.0F) << "a vehicle that arrives during a hold has arrived";
  // With decisions at levels 1 and 2 no additional step is needed.
  EXPECT_EQ(every_2.value(1, 0, 0), 98.0F);
  // Along a line holding costs nothing: the target is reached on the path.
  EXPECT_EQ(every_2.value(0, 4, 1), 98.0F);
  EXPECT_EQ(every_2.value(0, 2, 1), 0.0F);
  EXPECT_EQ(every_2.action(0, 2, 1), no_action);

  // With decisions at odd levels, the values are the same in the other order.
  const Mission mission_odd = with_decisions(mission, 2, 3);
  const Solution at_odd = solve(reader, {actions, mission_odd, test::by_cell});
  EXPECT_EQ(at_odd.value(1, 0, 0), 97.0F);
  EXPECT_EQ(at_odd.value(0, 0, 0), 98.0F);

  // The vehicle moves east three times and north-west once.
  const Mission mission_3 = with_decisions(mission, 3, 0);
  const Solution every_3 = solve(reader, {actions, mission_3, test::by_cell});
  EXPECT_EQ(every_3.value(0, 0, 0), 96.0F);
  EXPECT_EQ(every_3.action(0, 0, 0), east);
  EXPECT_EQ(every_3.action(3, 3, 0), north_west);
  EXPECT_EQ(every_3.value(2, 0, 0), 98.0F);

  // Time is up at level 7, in the middle of a hold.
  EXPECT_EQ(every_3.value(3, 0, 0), 96.0F);
  EXPECT_EQ(every_3.value(4, 0, 0), 97.0F);
  EXPECT_EQ(every_3.value(6, 0, 0), -1000.0F);
}

INSTANTIATE_TEST_SUITE_P(Backends, ActionHold, testing::ValuesIn(test::solving_backends()),
                         [](const auto& test) { return test.param.name; });

// The mission decides every three steps from level 10 on.
class ActionHoldOnGyre : public test::FlightOnGyre {
 protected:
  ActionHoldOnGyre() { mission_.decisions = {3, TimeLevel(10)}; }
};

TEST_F(ActionHoldOnGyre, DividesADepartureBetweenTwoLevels) {
  mission_.begun = 0.25;
  solve(Objective::time);
  const std::size_t cells = policy_.value.size() / levels;
  const auto value = [&](std::size_t level) {
    return static_cast<double>(
        policy_.value[level * cells + static_cast<std::size_t>(mission_.start.value)]);
  };
  EXPECT_NEAR(evaluate().value, 0.75 * value(10) + 0.25 * value(11), 2e-3);
}

// The action of a flight changes only at its decisions, and does change there.
TEST_F(ActionHoldOnGyre, HoldsActionsInFlights) {
  solve(Objective::time);
  for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
    int changes = 0;
    for (const Trajectory& flight : fly_by(options_of(mode, 100, 2)).trajectories) {
      for (std::size_t n = 1; n + 1 < flight.points.size(); ++n) {
        const bool is_same = flight.points[n].heading == flight.points[n - 1].heading &&
                             flight.points[n].speed == flight.points[n - 1].speed;
        if (n % 3 != 0) {
          EXPECT_TRUE(is_same) << n;
        } else {
          changes += is_same ? 0 : 1;
        }
      }
    }
    EXPECT_GT(changes, 20);
  }
  SilentProgress progress;
  const Trajectory mean = fly_through_mean(reader(), problem(), policy_, progress);
  ASSERT_GT(mean.points.size(), 3u);
  EXPECT_EQ(mean.points[1].heading, mean.points[0].heading);
  EXPECT_EQ(mean.points[2].heading, mean.points[0].heading);
}

TEST_F(ActionHoldOnGyre, HoldsActionsOfBaselineControllers) {
  solve(Objective::time);
  SilentProgress progress;
  const auto rewards = [&] {
    std::vector<double> all;
    for (const auto& flights :
         fly_baselines(reader(), mission_, {1.2}, options_of(RolloutMode::continuous), progress)) {
      double sum = 0;
      for (const FlightEnd& end : flights.ends) sum += end.total_reward;
      all.push_back(sum);
    }
    return all;
  };
  const auto held = rewards();
  mission_.decisions.every = 1;
  const auto free = rewards();
  ASSERT_EQ(held.size(), 3u);
  for (std::size_t n = 0; n < 3; ++n) EXPECT_NE(held[n], free[n]) << n;
}

// If the first action is held to the end, the best policy is the best constant action.
TEST_F(ActionHoldOnGyre, KeepsOneHeadingIfHeldForAllSteps) {
  mission_.decisions.every = 11;
  solve(Objective::energy);
  double best = -std::numeric_limits<double>::infinity();
  SilentProgress progress;
  mission_.decisions.every = 1;
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    const test::ConstantPolicy policy(static_cast<std::int16_t>(a));
    best = std::max(best, test::evaluate_policy(reader(), problem(), policy, 1, progress).value);
  }
  EXPECT_NEAR(value_at_start(), best, 2e-3);
}

// A policy with one action for each leg.
class ActionOfLeg final : public PolicySource {
 public:
  explicit ActionOfLeg(const std::vector<std::int16_t>& actions) {
    for (const std::int16_t action : actions) legs_.emplace_back(action);
  }
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    legs_.front().read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override {
    legs_.front().read_value(k, value);
  }
  const PolicySource& leg(std::size_t n) const override { return legs_.at(n); }

 private:
  std::vector<test::ConstantPolicy> legs_;
};

class LegsWithHold : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  SilentProgress progress_;
};

// The policy heads east to the via point in column 2, then north, in still water.
TEST_F(LegsWithHold, ContinueTheHoldAtAViaPoint) {
  const auto info = plain_info(7, 4, 12);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const ActionOfLeg policy({0, 1});
  struct Case {
    std::int32_t every;
    std::int32_t phase;
    std::int32_t column;  // column where it turns
  };
  for (const auto& [every, phase, column] : {Case{1, 0, 2}, {2, 0, 2}, {3, 0, 3}, {4, 1, 5}}) {
    SCOPED_TRACE("every " + std::to_string(every) + ", phase " + std::to_string(phase));
    Mission mission;
    mission.start = info.grid.cell(0, 0);
    mission.start_x = info.grid.x(0);
    mission.start_y = info.grid.y(0);
    mission.target = target_cells(info.grid, info.grid.x(column), info.grid.y(3), 0);
    mission.disc = target_disc(info.grid, info.grid.x(column), info.grid.y(3), 0);
    mission.last = TimeLevel(11);
    mission.decisions = {every, TimeLevel(phase)};
    mission.via = {test::via_point(info.grid, {{2, 0}}, 4)};
    const PlanningProblem problem{actions, mission, test::by_cell};
    const ExpectedOutcome expected = test::evaluate_policy(reader, problem, policy, 1, progress_);
    EXPECT_EQ(expected.arrival_probability, 1);
    EXPECT_EQ(expected.time, column + 3);
    for (const test::Backend backend : test::all_backends) {
      if (backend == test::Backend::cuda && device_count() == 0) continue;
      for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
        RolloutOptions options;
        options.mode = mode;
        const RolloutResult flown = test::fly_on(backend, reader, problem, policy, options);
        const Trajectory& flight = flown.trajectories.front();
        EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived);
        EXPECT_EQ(flight.passed, (std::vector<std::int32_t>{2}));
        EXPECT_EQ(std::ceil(flight.steps()), column + 3);
      }
    }
    const Trajectory mean = fly_through_mean(reader, problem, policy, progress_);
    EXPECT_EQ(mean.outcome, TrajectoryOutcome::arrived);
    EXPECT_EQ(std::ceil(mean.steps()), column + 3);
  }
}

// Random currents and policies, with via points that may be passed in any step of a hold.
class RandomLegsWithHold : public LegsWithHold {
 protected:
  static constexpr std::size_t legs = 3;

  RandomLegsWithHold() {
    EnvironmentInfo info = plain_info(17, 15, 14, 2, 20);
    info.obstacles = Obstacles::moving;
    test::write_random_environment(folder_ / "env.h5", info, 1.2F, 5);
    actions_ = make_actions({0.7, 1.5}, 5, info.grid, info.time);
    mission_ = test::random_mission(info);
    mission_.departure = TimeLevel(1);
    mission_.decisions = {3, TimeLevel(1)};
    mission_.via = {test::via_block(info.grid, mission_, 2, 1, 5),
                    test::via_block(info.grid, mission_, 0, 2, 3)};
    const double x = info.grid.x(info.grid.column(mission_.start));
    const double y = info.grid.y(info.grid.row(mission_.start) + 7);
    mission_.target = target_cells(info.grid, x, y, 3.3 * info.grid.dx);
    mission_.disc = target_disc(info.grid, x, y, 3.3 * info.grid.dx);
  }
  PlanningProblem problem() const { return {actions_, mission_, test::by_cell}; }

  std::vector<Action> actions_;
  Mission mission_;
};

TEST_F(RandomLegsWithHold, HaveTheValueOfTheEvaluation) {
  const EnvironmentReader reader(folder_ / "env.h5");
  const auto cells = static_cast<std::size_t>(reader.info().grid.cell_count());
  double previous = std::numeric_limits<double>::infinity();
  for (const std::int32_t every : {1, 2, 4}) {
    mission_.decisions.every = every;
    test::LegTables policy(reader.info().grid, mission_);
    solve_mission(reader, problem(), {.threads = 2}, policy, progress_);
    const double value =
        policy.tables.front().value[cells * static_cast<std::size_t>(mission_.departure.value) +
                                    static_cast<std::size_t>(mission_.start.value)];
    const ExpectedOutcome expected = test::evaluate_policy(reader, problem(), policy, 2, progress_);
    EXPECT_NEAR(value, expected.value, 0.02) << every;
    EXPECT_GT(expected.arrival_probability, 0.05) << every;
    EXPECT_LT(value, previous) << "it decides at fewer of the same levels";
    previous = value;
  }
}

TEST_F(RandomLegsWithHold, ArriveAsOftenAsEvaluated) {
  const EnvironmentReader reader(folder_ / "env.h5");
  constexpr int flights = 20'000;
  double arrivals = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const test::RandomLegs policy(actions_.size(), seed, legs);
    const double expected =
        test::evaluate_policy(reader, problem(), policy, 1, progress_).arrival_probability;
    RolloutOptions options;
    options.mode = RolloutMode::chain;
    options.flights = flights;
    options.seed = 7;
    int arrived = 0;
    for (const Trajectory& flight :
         fly(reader, problem(), policy, options, progress_).trajectories) {
      arrived += flight.outcome == TrajectoryOutcome::arrived ? 1 : 0;
    }
    const double deviation = std::sqrt(expected * (1 - expected) / flights);
    EXPECT_NEAR(arrived / double{flights}, expected, 4 * deviation + 1e-12) << seed;
    arrivals += expected;
  }
  EXPECT_GT(arrivals, 0.01) << "there is something to compare";
}

}  // namespace
}  // namespace tidewise
