// Results of a policy from every cell and level, compared with results by hand and with the forward
// evaluation from single starts.

#include "solver/evaluate/to_go.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "solver/evaluate/group_evaluation.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::plain_info;

// Results of a sweep over all levels, (level, y, x).
struct Sweep {
  Sweep(const EnvironmentReader& reader, const PlanningProblem& problem, const PolicySource& policy,
        std::int32_t threads = 1)
      : grid(reader.info().grid), levels(static_cast<std::size_t>(problem.mission.last.value) + 1) {
    SilentProgress progress;
    sweep_to_go(reader, problem, policy, threads, progress,
                [&](TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t>) {
                  levels[static_cast<std::size_t>(k.value)].assign(to_go.begin(), to_go.end());
                });
  }
  const ToGo& at(int k, CellIndex cell) const {
    return levels[static_cast<std::size_t>(k)][static_cast<std::size_t>(cell.value)];
  }

  Grid grid;
  std::vector<std::vector<ToGo>> levels;
};

// A policy that heads east everywhere.
class East final : public PolicySource {
 public:
  void read_action(TimeLevel, View<std::int16_t> action) const override {
    for (std::int16_t& element : action) element = 0;
  }
  void read_value(TimeLevel, View<float> value) const override {
    for (float& element : value) element = 0;
  }
};

class ToGoSweep : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

TEST_F(ToGoSweep, SweepsStillWaterByHand) {
  const auto info = plain_info(7, 4, 10);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission;
  mission.start = info.grid.cell(0, 1);
  mission.target = target_cells(info.grid, info.grid.x(6), info.grid.y(1), 0);
  mission.disc = target_disc(info.grid, info.grid.x(6), info.grid.y(1), 0);
  mission.last = TimeLevel(9);
  mission.energy.c_f = 2;
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  ASSERT_EQ(actions.front().heading, 0);
  const Sweep swept(reader, {actions, mission, test::by_cell}, East());
  for (int i = 0; i < 6; ++i) {
    const ToGo& result = swept.at(0, info.grid.cell(i, 1));
    EXPECT_EQ(result.arrival, 1) << i;
    EXPECT_EQ(result.time, 6 - i) << i;
    EXPECT_EQ(result.energy, 2 * (6 - i)) << i;
    EXPECT_EQ(swept.at(0, info.grid.cell(i, 2)).arrival, 0) << "along another row";
  }
  EXPECT_EQ(swept.at(4, info.grid.cell(1, 1)).arrival, 1) << "in the last step that there is";
  EXPECT_EQ(swept.at(5, info.grid.cell(1, 1)).arrival, 0) << "too late";
  EXPECT_EQ(swept.at(9, info.grid.cell(6, 1)).arrival, 1) << "in the target";
  EXPECT_EQ(swept.at(9, info.grid.cell(6, 1)).time, 0);
}

TEST_F(ToGoSweep, MatchesForwardEvaluationsFromEveryCell) {
  for (const PositionRule& rule : {test::by_cell, test::by_area}) {
    auto info = plain_info(23, 17, 7);
    info.realization_count = 37;
    info.mode_count = 3;
    info.obstacles = Obstacles::moving;
    test::write_random_environment(folder_ / "env.h5", info, 1.5F);
    const EnvironmentReader reader(folder_ / "env.h5");
    Mission mission = test::random_mission(info);
    mission.objective = Objective::energy;
    mission.energy.c_f = 1.5;
    mission.energy.c_t = 0.25;
    const std::int32_t i = info.grid.nx / 2;
    const std::int32_t j = info.grid.ny / 2;
    const auto actions = make_actions({0.5, 1}, 6, info.grid, info.time);
    const test::RandomLegs policy(actions.size(), 3, 2);
    for (const auto& [has_via, every] : {std::pair{false, 1}, {true, 1}, {false, 3}, {true, 3}}) {
      mission.decisions = {every, TimeLevel(1)};
      mission.via.clear();
      if (has_via) {
        ViaPlace place;
        place.cells = {info.grid.cell(i - 1, j).value, info.grid.cell(i, j).value,
                       info.grid.cell(i - 1, j + 1).value, info.grid.cell(i, j + 1).value};
        place.rest = 3;
        mission.via = {place};
      }
      const Sweep swept(reader, {actions, mission, rule}, policy);
      double arrivals = 0;
      for (int k = 0; k < mission.last.value; k += 2) {
        for (std::int32_t cell = 0; cell < info.grid.cell_count(); cell += 13) {
          Mission single = mission;
          single.departure = TimeLevel(k);
          single.start = CellIndex(cell);
          SilentProgress progress;
          const ExpectedOutcome expected =
              test::evaluate_policy(reader, {actions, single, rule}, policy, 1, progress);
          const ToGo& result = swept.at(k, single.start);
          ASSERT_NEAR(result.arrival, expected.arrival_probability, 1e-12) << k << ", " << cell;
          arrivals += result.arrival;
          if (result.arrival < 1e-9) continue;
          ASSERT_NEAR(result.time / result.arrival, expected.time, 1e-9) << k << ", " << cell;
          ASSERT_NEAR(result.energy / result.arrival, expected.energy, 1e-9) << k << ", " << cell;
        }
      }
      EXPECT_GT(arrivals, 0.1) << "there is something to compare";
      EXPECT_EQ(Sweep(reader, {actions, mission, rule}, policy, 3).at(0, mission.start).time,
                swept.at(0, mission.start).time);
    }
  }
}

// A policy that heads east in the three western columns, and north in the others.
class EastThenNorth final : public PolicySource {
 public:
  explicit EastThenNorth(const Grid& grid) : grid_(grid) {}
  void read_action(TimeLevel, View<std::int16_t> action) const override {
    for (std::size_t cell = 0; cell < action.size; ++cell) {
      action[cell] = grid_.column(CellIndex(static_cast<std::int32_t>(cell))) < 3 ? 0 : 1;
    }
  }
  void read_value(TimeLevel, View<float>) const override {}

 private:
  Grid grid_;
};

// Flights in still water begin at levels with a decision and at others.
TEST_F(ToGoSweep, HoldsActionsBetweenDecisions) {
  const auto info = plain_info(7, 4, 10);
  test::write_environment(folder_ / "env.h5", info, {});
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission;
  mission.target = target_cells(info.grid, info.grid.x(4), info.grid.y(2), 0);
  mission.disc = target_disc(info.grid, info.grid.x(4), info.grid.y(2), 0);
  mission.last = TimeLevel(9);
  mission.decisions = {2, TimeLevel(0)};
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const EastThenNorth policy(info.grid);
  const Sweep swept(reader, {actions, mission, test::by_cell}, policy);
  EXPECT_EQ(swept.at(0, info.grid.cell(2, 1)).arrival, 1) << "two steps east, one north";
  EXPECT_EQ(swept.at(0, info.grid.cell(2, 1)).time, 3);
  EXPECT_EQ(swept.at(1, info.grid.cell(2, 1)).arrival, 0) << "turns north a column before";
  EXPECT_EQ(swept.at(1, info.grid.cell(4, 1)).time, 1);
  EXPECT_EQ(swept.at(0, info.grid.cell(4, 0)).arrival, 1) << "arrives while it holds";
}

}  // namespace
}  // namespace tidewise
