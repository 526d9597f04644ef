// Actions that are held from one decision to the next (docs/model.md, 3.9): by hand, every backend
// against plain loops, and the value against what the forward evaluation and the flights come to.

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
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/policies.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"
#include "support/temporary_folder.h"
#include "unit/solver/flight/flight_on_gyre.h"

namespace tidewise {
namespace {

using test::plain_info;

struct Solved {
  Grid grid;
  PolicyTable policy;
  float value(int k, int i, int j) const {
    return policy.value[static_cast<std::size_t>(k * grid.cell_count() + grid.cell(i, j).value)];
  }
  int action(int k, int i, int j) const {
    return policy.action[static_cast<std::size_t>(k * grid.cell_count() + grid.cell(i, j).value)];
  }
};

/// Another mission that decides so.
Mission deciding(Mission mission, std::int32_t every, std::int32_t phase) {
  mission.decisions = {every, TimeLevel(phase)};
  return mission;
}

TEST(Decisions, AreCountedBeforeAndAfterTheirPhase) {
  const Decisions decisions{3, TimeLevel(4)};
  const std::vector<std::int32_t> since{2, 0, 1, 2, 0, 1, 2, 0};
  for (std::int32_t k = 0; k < 8; ++k) {
    EXPECT_EQ(decisions.since(TimeLevel(k)), since[static_cast<std::size_t>(k)]) << k;
    EXPECT_EQ(decisions.until_next(TimeLevel(k)), 3 - since[static_cast<std::size_t>(k)]) << k;
  }
}

class HeldActions : public testing::TestWithParam<test::SolvingBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
  Solved solve(const EnvironmentReader& reader, const PlanningProblem& problem) const {
    Solved solved{reader.info().grid, PolicyTable(reader.info().grid, problem.mission.last)};
    GetParam().solve(reader, problem, solved.policy);
    return solved;
  }
  test::TemporaryFolder folder_;
};

/// Still water of five cells by four, a cell a step along eight headings, diagonals too: from
/// (0, 0) to (2, 1) it is two steps, east and north-east.
TEST_P(HeldActions, InStillWaterByHand) {
  const auto info = plain_info(5, 4, 8);
  test::write_environment(folder_ / "env.h5", info);
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission;
  mission.target = target_cells(info.grid, 2.5, 1.5, 0);
  mission.last = TimeLevel(7);
  const auto actions = make_actions({1}, 8, info.grid, info.time);
  enum { east, north_east, north, north_west, west };

  const Solved free = solve(reader, {actions, mission, test::by_cell});
  EXPECT_EQ(free.value(0, 0, 0), 98.0F);

  // East twice or north-east twice, and then a step back into the row or the column: one more.
  const Mission two = deciding(mission, 2, 0);
  const Solved twos = solve(reader, {actions, two, test::by_cell});
  EXPECT_EQ(twos.value(0, 0, 0), 97.0F);
  EXPECT_EQ(twos.action(0, 0, 0), east);
  EXPECT_EQ(twos.action(2, 2, 0), north);
  EXPECT_EQ(twos.value(2, 2, 0), 99.0F) << "who arrives while holding has arrived";
  // Who could decide at level 1 once, and again at 2, needs no step more.
  EXPECT_EQ(twos.value(1, 0, 0), 98.0F);
  // Along a line nothing is lost, however long it is held: it is met on the way.
  EXPECT_EQ(twos.value(0, 4, 1), 98.0F);
  EXPECT_EQ(twos.value(0, 2, 1), 0.0F);
  EXPECT_EQ(twos.action(0, 2, 1), no_action);

  // Departing at an odd level: the same the other way round.
  const Mission odd = deciding(mission, 2, 3);
  const Solved odds = solve(reader, {actions, odd, test::by_cell});
  EXPECT_EQ(odds.value(1, 0, 0), 97.0F);
  EXPECT_EQ(odds.value(0, 0, 0), 98.0F);

  // East thrice, and one step north-west.
  const Mission three = deciding(mission, 3, 0);
  const Solved threes = solve(reader, {actions, three, test::by_cell});
  EXPECT_EQ(threes.value(0, 0, 0), 96.0F);
  EXPECT_EQ(threes.action(0, 0, 0), east);
  EXPECT_EQ(threes.action(3, 3, 0), north_west);
  EXPECT_EQ(threes.value(2, 0, 0), 98.0F);

  // Time is up at level 7, in the middle of a hold.
  EXPECT_EQ(threes.value(3, 0, 0), 96.0F);
  EXPECT_EQ(threes.value(4, 0, 0), 97.0F);
  EXPECT_EQ(threes.value(6, 0, 0), -1000.0F);
}

TEST_P(HeldActions, OfOneStepAreTheBitsOfNone) {
  auto info = plain_info(23, 17, 6, 3, 37);
  info.has_scalar = true;
  info.obstacles = Obstacles::moving;
  test::write_random_environment(folder_ / "env.h5", info, 1.5F);
  const EnvironmentReader reader(folder_ / "env.h5");
  const auto actions = make_actions({0.5, 1}, 6, info.grid, info.time);
  const Mission mission = test::random_mission(info);
  const Solved plain = solve(reader, {actions, mission, test::by_area});
  const Solved once = solve(reader, {actions, deciding(mission, 1, 3), test::by_area});
  EXPECT_EQ(once.policy.action, plain.policy.action);
  EXPECT_EQ(once.policy.value, plain.policy.value);
}

/// Obstacles that come and go within a hold, harvests, a disc, weights: as plain loops have it.
TEST_P(HeldActions, OfARandomCaseAreThoseOfPlainLoops) {
  struct Case {
    PositionRule rule;
    std::int32_t every;
    Objective objective;
    bool weighted;
  };
  const std::vector<Case> cases{{test::by_cell, 2, Objective::time, false},
                                {test::by_area, 3, Objective::net_energy, false},
                                {test::by_cell, 3, Objective::net_energy, true},
                                {test::by_area, 8, Objective::energy, true}};
  for (const Case& one : cases) {
    auto info = plain_info(23, 17, 9, 3, 37);
    info.has_scalar = true;
    info.obstacles = Obstacles::moving;
    if (one.weighted) info.realization_weight = test::random_weights(info.realization_count);
    test::write_random_environment(folder_ / "env.h5", info, 1.5F);
    const EnvironmentReader reader(folder_ / "env.h5");
    const auto actions = make_actions({0.5, 1}, 6, info.grid, info.time);
    Mission mission = deciding(test::random_mission(info), one.every, 1);
    mission.objective = one.objective;
    const Solved solved = solve(reader, {actions, mission, one.rule});
    PolicyTable expected(info.grid, mission.last);
    test::solve_reference(reader, {actions, mission, one.rule}, expected);
    EXPECT_EQ(solved.policy.action, expected.action) << one.every;
    EXPECT_EQ(solved.policy.value, expected.value) << one.every;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, HeldActions, testing::ValuesIn(test::solving_backends()),
                         [](const auto& test) { return test.param.name; });

/// Decides every three steps from level 10 on, of 21 that there are.
class HeldOnGyre : public test::FlightOnGyre {
 protected:
  HeldOnGyre() { mission_.decisions = {3, TimeLevel(10)}; }
};

TEST_F(HeldOnGyre, TheForwardEvaluationMeetsTheValue) {
  for (const LandingBy landing : {LandingBy::cell, LandingBy::area}) {
    rule_.landing = landing;
    for (const Objective objective : {Objective::time, Objective::net_energy}) {
      solve(objective);
      const double held = value_at_start();
      const ExpectedOutcome expected = evaluate();
      EXPECT_NEAR(expected.value, held, 2e-3);
      EXPECT_GT(expected.arrival_probability, 0.1);
      EXPECT_LT(expected.arrival_probability, 0.9999);
      EXPECT_NEAR(expected.arrival_probability + expected.obstacle_probability +
                      expected.out_of_domain_probability + expected.out_of_time_probability +
                      expected.without_action_probability + expected.out_of_forecast_probability,
                  1, 1e-12);
      SilentProgress progress;
      for (const std::int32_t threads : {2, 3}) {
        EXPECT_TRUE(test::same_bits(
            evaluate_policy(reader(), problem(), policy_, threads, progress), expected));
      }
      mission_.decisions.every = 1;
      solve(objective);
      EXPECT_GT(value_at_start(), held + 1) << "or nothing is lost by holding";
      mission_.decisions.every = 3;
    }
  }
}

TEST_F(HeldOnGyre, TheChainsMeanMeetsIt) {
  solve(Objective::net_energy);
  const auto statistics =
      summarize(fly_by(options_of(RolloutMode::chain, 4000, 2)), reader().info());
  EXPECT_NEAR(statistics.mean_total_reward, value_at_start(), 4 * statistics.standard_error);
  const auto expected = evaluate();
  const double p = expected.arrival_probability;
  EXPECT_NEAR(statistics.arrival_rate, p, 4 * std::sqrt(p * (1 - p) / 4000));
  EXPECT_NEAR(statistics.net_energy.mean, expected.net_energy, 0.4);
}

TEST_F(HeldOnGyre, ADepartureBetweenLevelsIsSharedAmongTheTwo) {
  mission_.begun = 0.25;
  solve(Objective::time);
  const std::size_t cells = policy_.value.size() / levels;
  const auto value = [&](std::size_t level) {
    return static_cast<double>(
        policy_.value[level * cells + static_cast<std::size_t>(mission_.start.value)]);
  };
  EXPECT_NEAR(evaluate().value, 0.75 * value(10) + 0.25 * value(11), 2e-3);
}

/// What a flight does changes where it decides alone, and there it does change.
TEST_F(HeldOnGyre, FlightsKeepWhatTheyDo) {
  solve(Objective::time);
  for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
    int changes = 0;
    for (const Trajectory& flight : fly_by(options_of(mode, 100, 2)).trajectories) {
      for (std::size_t n = 1; n + 1 < flight.points.size(); ++n) {
        const bool same = flight.points[n].heading == flight.points[n - 1].heading &&
                          flight.points[n].speed == flight.points[n - 1].speed;
        if (n % 3 != 0) {
          EXPECT_TRUE(same) << n;
        } else {
          changes += same ? 0 : 1;
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

TEST_F(HeldOnGyre, RulesWithoutAPlanHoldToo) {
  solve(Objective::time);
  SilentProgress progress;
  const auto rewards = [&] {
    std::vector<double> all;
    for (const auto& rule :
         fly_baselines(reader(), mission_, {1.2}, options_of(RolloutMode::continuous), progress)) {
      double sum = 0;
      for (const FlightEnd& end : rule.ends) sum += end.total_reward;
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

/// Held to the end, what is best is the best of the actions that are never changed.
TEST_F(HeldOnGyre, OfAllStepsIsOneHeading) {
  mission_.decisions.every = 11;
  solve(Objective::energy);
  double best = -std::numeric_limits<double>::infinity();
  SilentProgress progress;
  mission_.decisions.every = 1;
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    const test::ConstantPolicy policy(static_cast<std::int16_t>(a));
    best = std::max(best, evaluate_policy(reader(), problem(), policy, 1, progress).value);
  }
  EXPECT_NEAR(value_at_start(), best, 2e-3);
}

/// From where the vehicle is, at a level that decides or between two: the whole plan's bits.
TEST_F(HeldOnGyre, ASolveOfWhatIsReachableHasThemToo) {
  solve(Objective::net_energy);
  SilentProgress progress;
  ReachableSolver solver(reader().info(), problem(), {.threads = 2});
  for (const std::int32_t level : {10, 13, 14}) {
    FileLevels file(reader());
    ReachablePolicy policy;
    (void)solver.solve(file, {mission_.start, TimeLevel(level)}, policy, progress);
    const std::size_t cells = policy_.value.size() / levels;
    std::vector<std::int16_t> action(cells);
    std::size_t known = 0;
    for (std::int32_t k = level; k < levels - 1; ++k) {
      policy.read_action(TimeLevel(k), action);
      for (std::size_t cell = 0; cell < cells; ++cell) {
        const auto value = policy.value(TimeLevel(k), CellIndex(static_cast<std::int32_t>(cell)));
        if (!value) continue;
        const std::size_t at = static_cast<std::size_t>(k) * cells + cell;
        EXPECT_EQ(*value, policy_.value[at]);
        EXPECT_EQ(action[cell], policy_.action[at]);
        ++known;
      }
    }
    EXPECT_GT(known, 100u);
    ReachablePolicy by_then;
    (void)solver.solve_arriving_by(file, {mission_.start, TimeLevel(level)}, TimeLevel(levels - 2),
                                   by_then, progress);
    EXPECT_EQ(by_then.value(TimeLevel(level), mission_.start),
              policy.value(TimeLevel(level), mission_.start));
  }
}

}  // namespace
}  // namespace tidewise
