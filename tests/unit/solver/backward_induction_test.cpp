#include "solver/induction/backward_induction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "solver/step/path.h"
#include "solver/step/planning_problem.h"
#include "solver/step/reward.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/reference_solver.h"
#include "support/ocean/solving_backends.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::plain_info;
using test::write_environment;

// A mission on a plain environment, from level 0 to the last.
Mission mission_to(const EnvironmentInfo& info, std::int32_t target_column, std::int32_t target_row,
                   Objective objective = Objective::time) {
  Mission mission;
  mission.objective = objective;
  mission.target = target_cells(info.grid, info.grid.x(target_column), info.grid.y(target_row), 0);
  mission.last = TimeLevel(info.time.level_count - 1);
  return mission;
}

struct Solution {
  Grid grid;
  PolicyTable policy;
  float value(int k, int i, int j) const {
    return policy.value[static_cast<std::size_t>(k * grid.cell_count() + grid.cell(i, j).value)];
  }
  int action(int k, int i, int j) const {
    return policy.action[static_cast<std::size_t>(k * grid.cell_count() + grid.cell(i, j).value)];
  }
};

// A small environment, its actions, and the result of solving it on each backend.
class BackwardInductionByHand : public testing::TestWithParam<test::SolvingBackend> {
 protected:
  Solution solve_plain(const EnvironmentInfo& info, const test::FillLevel& fill,
                       const std::vector<double>& speeds, const Mission& mission) {
    write_environment(folder_ / "env.h5", info, fill);
    const EnvironmentReader reader(folder_ / "env.h5");
    Solution solved{info.grid, PolicyTable(info.grid, mission.last)};
    GetParam().solve(reader,
                     {make_actions(speeds, 4, info.grid, info.time), mission, test::by_cell},
                     solved.policy);
    return solved;
  }
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
  test::TemporaryFolder folder_;
};

TEST_P(BackwardInductionByHand, SolvesTimeInStillWater) {
  const auto info = plain_info(5, 3, 5);
  const auto solved = solve_plain(info, {}, {1}, mission_to(info, 4, 1));
  // One step per cell: v = 100 − distance if the levels suffice.
  EXPECT_EQ(solved.value(0, 3, 1), 99.0F);
  EXPECT_EQ(solved.value(0, 0, 1), 96.0F);
  EXPECT_EQ(solved.value(1, 0, 1),
            -1003.0F + 3.0F);  // three steps for four cells, so it is best to leave at once
  EXPECT_EQ(solved.value(0, 4, 1), 0.0F);
  EXPECT_EQ(solved.action(0, 4, 1), no_action);
  EXPECT_EQ(solved.action(0, 0, 1), 0);  // east
  EXPECT_EQ(solved.action(0, 4, 0), 1);  // north
  EXPECT_EQ(solved.action(0, 4, 2), 3);  // south
  EXPECT_EQ(solved.action(4, 0, 0), no_action);
  EXPECT_EQ(solved.value(4, 0, 0), -1000.0F);
}

TEST_P(BackwardInductionByHand, CountsAPartOfTheStepOfArrival) {
  const auto info = plain_info(5, 3, 5);
  Mission mission = mission_to(info, 4, 1);
  mission.disc = target_disc(info.grid, 4.5, 1.5, 0.75);
  const auto solved = solve_plain(info, {}, {1, 2}, mission);
  EXPECT_EQ(solved.value(0, 3, 1), 100.0F - 0.125F);  // its step of two cells leaves the domain
  EXPECT_EQ(solved.value(0, 2, 1), 100.0F - 0.625F);  // (2 − 0.75) / 2
  EXPECT_EQ(solved.value(0, 1, 1), 99.0F - 0.125F);
  EXPECT_EQ(solved.value(3, 2, 1), 100.0F - 0.625F) << "on the very last level too";
  EXPECT_EQ(solved.value(0, 4, 1), 0.0F);
}

TEST_P(BackwardInductionByHand, PenalizesTheDistanceLeftWhenLate) {
  const auto info = plain_info(7, 3, 3);
  Mission mission = mission_to(info, 6, 1);
  mission.disc = target_disc(info.grid, 6.5, 1.5, 0);
  mission.failure = {-900, -800, -70, 2};
  const auto solved = solve_plain(info, {}, {1}, mission);
  EXPECT_EQ(solved.value(2, 0, 1), -70.0F - 2 * 6);
  EXPECT_EQ(solved.value(2, 6, 0), -70.0F - 2 * 1);
  EXPECT_EQ(solved.value(1, 0, 1), -70.0F - 2 * 5);
  EXPECT_EQ(solved.action(1, 0, 1), 0) << "toward the target, not ashore";
  EXPECT_EQ(solved.value(0, 0, 1), -1.0F - 70.0F - 2 * 4);
}

TEST_P(BackwardInductionByHand, PrefersTheLowestActionOnATie) {
  const auto info = plain_info(3, 3, 4);
  const auto solved = solve_plain(info, {}, {1}, mission_to(info, 2, 2));
  EXPECT_EQ(solved.action(0, 1, 1), 0);  // east then north is as good as north then east
}

TEST_P(BackwardInductionByHand, DriftsToSaveEnergy) {
  const auto info = plain_info(5, 3, 6);
  auto mission = mission_to(info, 4, 1, Objective::energy);
  mission.energy.c_f = 2;
  mission.energy.c_t = 0.25;
  const auto flow = [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), 1.0F);
  };
  const auto solved = solve_plain(info, flow, {0, 1}, mission);
  EXPECT_EQ(solved.action(0, 0, 1), 0);  // drift east with the flow
  EXPECT_EQ(solved.value(0, 0, 1), 100.0F - 4 * 0.25F);
  EXPECT_EQ(solved.value(0, 3, 0), 100.0F - 2.25F);  // one step north-east by the flow
  EXPECT_EQ(solved.value(0, 4, 0),
            -1000.0F);  // every path leaves the domain, or the vehicle never arrives
}

TEST_P(BackwardInductionByHand, HarvestsFromBothEndsOfAStep) {
  const auto info = plain_info(4, 3, 4);
  auto mission = mission_to(info, 3, 1, Objective::net_energy);
  mission.energy.c_f = 1;
  mission.energy.c_r = 3;
  const auto sun = [](TimeLevel k, LevelFields<>& fields) {
    for (std::size_t c = 0; c < fields.scalar.size(); ++c) {
      fields.scalar[c] = k.value == 0 ? 2.0F : 4.0F;
    }
  };
  const auto solved = solve_plain(info, sun, {1}, mission);
  // −1 + 3·(2 + 4)/2 = 8 for the step from level 0, then −1 + 3·4 = 11 a step.
  EXPECT_EQ(solved.value(0, 2, 1), 108.0F + 2 * 11.0F);  // two more steps in the sun pay
  EXPECT_EQ(solved.value(1, 2, 1), 111.0F);  // two levels left: it must go back directly
  EXPECT_EQ(solved.value(2, 2, 1), 111.0F);
}

TEST_P(BackwardInductionByHand, MixesTimeAndEnergyByWeight) {
  const auto info = plain_info(4, 3, 8);
  auto mission = mission_to(info, 3, 1, Objective::weighted);
  mission.energy.c_f = 1;
  mission.energy.alpha = 0.75;
  const auto solved = solve_plain(info, {}, {1, 2}, mission);
  // Speed 1: −(0.75 + 0.25) per cell; speed 2: −(3 + 0.25) for two cells.
  EXPECT_EQ(solved.value(0, 1, 1), 98.0F);
  EXPECT_EQ(solved.action(0, 1, 1), 0);
}

TEST_P(BackwardInductionByHand, BlocksPathsThroughObstacles) {
  const auto info = plain_info(5, 2, 2);
  const auto wall = [](TimeLevel, LevelFields<>& fields) { fields.masked[1] = 1; };
  const auto solved = solve_plain(info, wall, {2}, mission_to(info, 2, 0));
  EXPECT_EQ(solved.value(0, 0, 0), -1000.0F);  // over the obstacle
  EXPECT_EQ(solved.value(0, 4, 0), 99.0F);     // from the open side
  EXPECT_EQ(solved.value(0, 1, 0), -1000.0F);  // in it
  EXPECT_EQ(solved.action(0, 1, 0), no_action);
}

TEST_P(BackwardInductionByHand, BlocksPathsThroughObstaclesOfTheNextLevel) {
  const auto info = plain_info(5, 2, 2);
  const auto late = [](TimeLevel k, LevelFields<>& fields) { fields.masked[1] = k.value == 1; };
  EXPECT_EQ(solve_plain(info, late, {2}, mission_to(info, 2, 0)).value(0, 0, 0), -1000.0F);
}

TEST_P(BackwardInductionByHand, FailsWhenStayingInAClosingCell) {
  const auto info = plain_info(3, 2, 3);
  auto mission = mission_to(info, 2, 0);
  const auto closing = [](TimeLevel k, LevelFields<>& fields) { fields.masked[0] = k.value == 1; };
  const auto solved = solve_plain(info, closing, {0}, mission);
  EXPECT_EQ(solved.value(0, 0, 0), -1000.0F);
  EXPECT_EQ(solved.value(0, 1, 0), -1.0F - 1000.0F);  // waits until time is up
}

TEST_P(BackwardInductionByHand, TreatsAMaskedTargetAsAnObstacle) {
  const auto info = plain_info(3, 2, 3);
  const auto masked = [](TimeLevel, LevelFields<>& fields) { fields.masked[2] = 1; };
  const auto solved = solve_plain(info, masked, {1}, mission_to(info, 2, 0));
  EXPECT_EQ(solved.value(0, 2, 0), -1000.0F);
  EXPECT_EQ(solved.value(2, 2, 0), -1000.0F);
  EXPECT_EQ(solved.value(1, 1, 0), -1000.0F);
}

TEST_P(BackwardInductionByHand, AveragesTwoRealizations) {
  const auto info = plain_info(5, 2, 2, 1, 2);
  const auto spread = [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
    fields.coefficient[0] = 0;
    fields.coefficient[1] = 1;
  };
  const auto solved = solve_plain(info, spread, {0, 1}, mission_to(info, 3, 0));
  // From column 2, drifting and heading east each arrive in one of two realizations: ½·99 − ½·1000.
  EXPECT_EQ(solved.value(0, 2, 0), 0.5F * 99.0F - 500.0F);
  EXPECT_EQ(solved.action(0, 2, 0), 0);
  // From column 0 no action reaches column 3 in a step.
  EXPECT_EQ(solved.value(0, 0, 0), -1000.0F);
}

TEST_P(BackwardInductionByHand, ValuesArrivalByItsProbability) {
  const auto info = plain_info(5, 2, 3, 1, 4);
  const auto spread = [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
    fields.coefficient[3] = 1;  // one realization in four moves the vehicle one cell further
  };
  auto mission = mission_to(info, 4, 0, Objective::arrival);
  mission.arrival_reward = 1;
  mission.failure = {-0.25F, -0.25F, 0, 0};
  const auto solved = solve_plain(info, spread, {0, 1}, mission);
  constexpr auto h = static_cast<float>(arrival_haste);
  // One step before the end, east arrives except for the realization in four that leaves the
  // domain.
  EXPECT_EQ(solved.action(1, 3, 0), 1);
  EXPECT_EQ(solved.value(1, 3, 0), 0.75F * (1 - h) - 0.25F * 0.25F);
  // Two cells away, only that realization arrives.
  EXPECT_EQ(solved.value(1, 2, 0), 0.25F * (1 - h));
  EXPECT_EQ(solved.value(1, 0, 0), 0.0F) << "nothing arrives, and time is up";
  EXPECT_GT(solved.value(0, 3, 0), solved.value(1, 3, 0)) << "time to wait for a better draw";
}

TEST_P(BackwardInductionByHand, PrefersTheFasterOfEquallyLikelyArrivals) {
  const auto info = plain_info(5, 3, 9);
  auto mission = mission_to(info, 4, 1, Objective::arrival);
  mission.arrival_reward = 1;
  mission.failure = {-0.25F, -0.25F, 0, 0};
  const auto solved = solve_plain(info, {}, {0, 1}, mission);
  constexpr auto h = static_cast<float>(arrival_haste);
  EXPECT_EQ(solved.value(0, 0, 1), 1 - 4 * h);
  EXPECT_EQ(solved.action(0, 0, 1), 1) << "east, though there are eight steps for four cells";
  EXPECT_EQ(solved.value(5, 0, 1), -2 * h);  // out of time in the last of three steps
}

TEST_P(BackwardInductionByHand, WeightsRealizations) {
  auto info = plain_info(5, 2, 2, 1, 2);
  info.realization_weight = {3u << 22, 1u << 22};
  const auto spread = [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
    fields.coefficient[1] = 1;
  };
  const auto solved = solve_plain(info, spread, {0, 1}, mission_to(info, 3, 0));
  EXPECT_EQ(solved.value(0, 2, 0),
            0.75F * 99.0F - 250.0F);  // east arrives unless the vehicle is moved too far
  EXPECT_EQ(solved.action(0, 2, 0), 1);
}

INSTANTIATE_TEST_SUITE_P(Backends, BackwardInductionByHand,
                         testing::ValuesIn(test::solving_backends()),
                         [](const auto& test) { return test.param.name; });

TEST(Path, FindsTheCellsOfAStraightPath) {
  // The closed segment to (2, 1) touches some of the six cells of its bounding box.
  const Offset to{2, 1};
  EXPECT_TRUE(is_on_path(1, 0, to));
  EXPECT_TRUE(is_on_path(1, 1, to));
  EXPECT_FALSE(is_on_path(2, 0, to));
  EXPECT_FALSE(is_on_path(0, 1, to));
  // A diagonal also touches the two cells beside it, because cells and segment are closed.
  EXPECT_TRUE(is_on_path(1, 0, {1, 1}));
  EXPECT_TRUE(is_on_path(0, 1, {1, 1}));
}

TEST(Path, IsBlockedOnlyByClosedCellsInTheGrid) {
  std::mt19937 random(4);
  const auto draw = [&](std::uint32_t end) { return static_cast<std::int32_t>(random() % end); };
  int blocked = 0;
  for (int n = 0; n < 20'000; ++n) {
    Grid grid{};
    grid.nx = 1 + draw(9);
    grid.ny = 1 + draw(9);
    std::vector<std::uint8_t> now(static_cast<std::size_t>(grid.cell_count()));
    auto next = now;
    for (auto& masked : now) masked = draw(12) == 0 ? 1 : 0;
    for (auto& masked : next) masked = draw(12) == 0 ? 1 : 0;
    const View<const std::uint8_t> masked_now = now;
    const View<const std::uint8_t> masked_next = next;
    const std::int32_t column = draw(static_cast<std::uint32_t>(grid.nx));
    const std::int32_t row = draw(static_cast<std::uint32_t>(grid.ny));
    const Offset to{draw(31) - 15, draw(31) - 15};
    bool expected = false;
    for (std::int32_t j = 0; j < grid.ny; ++j) {
      for (std::int32_t i = 0; i < grid.nx; ++i) {
        const Offset cell{i - column, j - row};
        const bool in_box = cell.dx * to.dx >= 0 && cell.dy * to.dy >= 0 &&
                            std::abs(cell.dx) <= std::abs(to.dx) &&
                            std::abs(cell.dy) <= std::abs(to.dy);
        const bool start = cell.dx == 0 && cell.dy == 0;
        const bool at_rest = to.dx == 0 && to.dy == 0;
        if (!in_box || (start && !at_rest) || !is_on_path(cell.dx, cell.dy, to)) continue;
        expected = expected || masked_at(grid, masked_now, masked_next, i, j);
      }
    }
    blocked += expected ? 1 : 0;
    ASSERT_EQ(path_is_blocked(grid, masked_now, masked_next, column, row, to), expected)
        << to.dx << " " << to.dy;
  }
  EXPECT_GT(blocked, 2000);
}

}  // namespace
}  // namespace tidewise
