// Proximity penalties near obstacles and the border (docs/model.md, 3.10), compared with results by
// hand. Tests of groups and of reachable states also have missions with margins.

#include "solver/step/nearness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/policies.h"
#include "support/ocean/random_case.h"
#include "support/ocean/solving_backends.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::plain_info;

TEST(Nearness, DecreasesWithDistance) {
  Grid grid;
  grid.nx = 40;
  grid.ny = 30;
  grid.dx = 2;
  grid.dy = 3;
  std::vector<std::uint8_t> now(static_cast<std::size_t>(grid.cell_count()), 0);
  std::vector<std::uint8_t> next = now;
  const auto at = [&](int i, int j) { return static_cast<std::size_t>(grid.cell(i, j).value); };
  now[at(20, 15)] = 1;
  next[at(26, 15)] = 1;
  Mission mission;
  mission.margin = 6;
  mission.arrival_reward = 100;
  mission.failure = {-900, -400, -5000, 0};
  const NearnessRule rule{grid, nearness_penalty(mission), now, next};
  const ObstacleIndex obstacles(grid, now, next);
  const NearnessPenalties penalties(rule, obstacles);
  const auto penalty = [&](int i, int j) {
    EXPECT_EQ(penalties(grid.cell(i, j)), rule(grid.cell(i, j)));
    return rule(grid.cell(i, j));
  };
  // The highest penalty is a tenth of the cost of failing instead of arriving.
  EXPECT_FLOAT_EQ(penalty(19, 15), -100) << "adjacent";
  EXPECT_FLOAT_EQ(penalty(19, 14), -100) << "corner to corner";
  EXPECT_FLOAT_EQ(penalty(18, 15), -100 * 4 / 6.0F) << "a cell of 2 between";
  EXPECT_FLOAT_EQ(penalty(20, 17), -50) << "a cell of 3 between";
  EXPECT_FLOAT_EQ(penalty(18, 17), static_cast<float>(-100 * (1 - std::sqrt(13.0) / 6)));
  EXPECT_EQ(penalty(16, 15), 0) << "three cells of 2 between";
  EXPECT_FLOAT_EQ(penalty(23, 15), -100 * 2 / 6.0F)
      << "equally near to a cell that closes at the next level";
  EXPECT_FLOAT_EQ(penalty(27, 15), -100);
  // The border has the penalty for leaving the domain.
  EXPECT_FLOAT_EQ(penalty(0, 10), -50);
  EXPECT_FLOAT_EQ(penalty(1, 10), -50 * 4 / 6.0F);
  EXPECT_FLOAT_EQ(penalty(10, 28), -25);
  EXPECT_EQ(penalty(10, 10), 0);
}

TEST(Nearness, PenalizesMissionsWithoutFailurePenalty) {
  Mission mission;
  mission.margin = 2;
  mission.arrival_reward = 1;  // as for the objective arrival
  mission.failure = {0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(nearness_penalty(mission).obstacle, -0.1);
  mission.failure.outside = 5;  // better than arriving
  EXPECT_EQ(nearness_penalty(mission).outside, 0);
}

class ProximityPlans : public testing::TestWithParam<test::SolvingBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
  PolicyTable solve(const EnvironmentReader& reader, const PlanningProblem& problem) const {
    PolicyTable policy(reader.info().grid, problem.mission.last);
    GetParam().solve(reader, problem, policy);
    return policy;
  }
  test::TemporaryFolder folder_;
};

// Still water with one closed cell in the middle of the straight path. A path around it has the
// same length at any distance of up to three rows; with a margin of two cells the plan keeps that
// distance.
TEST_P(ProximityPlans, RouteThePlanAroundAnObstacle) {
  auto info = plain_info(15, 11, 14);
  info.obstacles = Obstacles::fixed;
  test::write_environment(folder_ / "env.h5", info,
                          [&](TimeLevel, LevelFields<>& fields) { fields.masked[5 * 15 + 7] = 1; });
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission;
  mission.target = target_cells(info.grid, info.grid.x(12), info.grid.y(5), 0);
  mission.last = TimeLevel(13);
  mission.arrival_reward = 0;
  mission.failure = {-40, -40, -1000, 0};
  const auto actions = make_actions({1}, 8, info.grid, info.time);
  const auto start = static_cast<std::size_t>(info.grid.cell(2, 5).value);
  const PlanningProblem problem{actions, mission, test::by_cell};
  EXPECT_EQ(solve(reader, problem).value[start], -10) << "a column a step";

  // A step next to the closed cell costs 4 more; with a cell between, it costs 2 more.
  mission.margin = 2 * info.grid.dx;
  const PolicyTable with_margin = solve(reader, problem);
  EXPECT_EQ(with_margin.value[start], -10) << "via (5, 8) and (9, 8), which are two cells off";
  const auto next_to_it = static_cast<std::size_t>(info.grid.cell(6, 4).value);
  EXPECT_EQ(with_margin.value[next_to_it], -6 - 4 - 2) << "via (7, 3), (8, 2), (9, 2)";
}

INSTANTIATE_TEST_SUITE_P(Backends, ProximityPlans, testing::ValuesIn(test::solving_backends()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tidewise
