// Ends of one step, the target's disc, and the transitions of a policy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "env/file/reader.h"
#include "env/row_window.h"
#include "env/weights.h"
#include "model_builder/engines.h"
#include "solver/evaluate/policy_transitions.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/outcome.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(LandingRule, GivesTheEndsThatOutcomeRuleValues) {
  const Grid grid{7, 6, 0, 0, 1, 1};
  std::mt19937 random(5);
  std::vector<std::uint8_t> target(42), now(42), next(42);
  std::vector<float> value(42);
  for (int trial = 0; trial < 300; ++trial) {
    for (std::size_t s = 0; s < 42; ++s) {
      target[s] = random() % 6 == 0;
      now[s] = random() % 12 == 0;
      next[s] = random() % 12 == 0;
      value[s] = static_cast<float>(10 + s);
    }
    const LastStep last = trial % 2 == 0 ? LastStep::no : LastStep::yes;
    LandingRule rule{grid, last, {target.data(), 42}, {now.data(), 42}, {next.data(), 42}};
    if (trial % 3 == 0) rule.disc = target_disc(grid, 3.2, 2.1, 0.9);
    const OutcomeRule outcome_rule{rule, {-1000, -900, -800, 0}, 100, 0, {value.data(), 42}, {},
                                   {}};
    for (int n = 0; n < 200; ++n) {
      const int i = static_cast<int>(random() % 7);
      const int j = static_cast<int>(random() % 6);
      const Offset to{static_cast<int>(random() % 7) - 3, static_cast<int>(random() % 7) - 3};
      const auto next_value = [&] {
        return value[static_cast<std::size_t>(grid.cell(i + to.dx, j + to.dy).value)];
      };
      const StepEnd end = rule(i, j, to);
      float expected = -1000;
      switch (end.outcome) {
        case StepOutcome::arrived:
          expected = 100 - end.fraction;
          break;
        case StepOutcome::under_way:
          expected = -1 + next_value();
          break;
        case StepOutcome::out_of_domain:
          expected = -900;
          break;
        case StepOutcome::out_of_time:
          expected = next_value();
          break;
        case StepOutcome::obstacle:
        case StepOutcome::without_action:
        case StepOutcome::out_of_forecast:
          break;
      }
      ASSERT_EQ(outcome_rule.step_return(rule(i, j, to), i, j, to, -1), expected);
    }
  }
}

// Plans do not distinguish the reasons for which cells are closed; ends of flights do.
TEST(LandingRule, DistinguishesClosedCellsOnlyForFlights) {
  const Grid grid{7, 6, 0, 0, 1, 1};
  std::mt19937 random(7);
  std::vector<std::uint8_t> target(42), now(42), next(42), plain_now(42), plain_next(42);
  std::vector<float> value(42, 3.0F);
  int obstacles = 0;
  int ends = 0;
  for (int trial = 0; trial < 100; ++trial) {
    for (std::size_t s = 0; s < 42; ++s) {
      target[s] = random() % 6 == 0;
      const auto mask = [&] {
        return random() % 8 == 0 ? static_cast<std::uint8_t>(1 + random() % 2) : std::uint8_t{0};
      };
      now[s] = mask();
      next[s] = mask();
      plain_now[s] = now[s] != 0;
      plain_next[s] = next[s] != 0;
    }
    const LandingRule rule{
        grid, LastStep::no, {target.data(), 42}, {now.data(), 42}, {next.data(), 42}};
    LandingRule plain = rule;
    plain.masked_now = {plain_now.data(), 42};
    plain.masked_next = {plain_next.data(), 42};
    const auto return_by = [&](const LandingRule& landing, int i, int j, Offset to) {
      const OutcomeRule outcome{landing, {-1000, -900, -800, 0}, 100, 0, {value.data(), 42}, {},
                                {}};
      return outcome.step_return(landing(i, j, to), i, j, to, -1);
    };
    for (int n = 0; n < 200; ++n) {
      const int i = static_cast<int>(random() % 7);
      const int j = static_cast<int>(random() % 6);
      const Offset to{static_cast<int>(random() % 7) - 3, static_cast<int>(random() % 7) - 3};
      ASSERT_EQ(rule(i, j, to).outcome, plain(i, j, to).outcome);
      ASSERT_EQ(return_by(rule, i, j, to), return_by(plain, i, j, to));
      const StepEnd end = rule.end_of_flight(i, j, to, rule(i, j, to));
      if (plain(i, j, to).outcome != StepOutcome::obstacle) {
        ASSERT_EQ(end.outcome, plain(i, j, to).outcome);
        continue;
      }
      // An obstacle still blocks if the cells beyond the forecast are removed from the masks.
      std::vector<std::uint8_t> solid_now(42), solid_next(42);
      for (std::size_t s = 0; s < 42; ++s) {
        solid_now[s] = now[s] == 1;
        solid_next[s] = next[s] == 1;
      }
      const bool is_solid =
          path_is_blocked(grid, {solid_now.data(), 42}, {solid_next.data(), 42}, i, j, to);
      ASSERT_EQ(end.outcome, is_solid ? StepOutcome::obstacle : StepOutcome::out_of_forecast);
      ++(is_solid ? obstacles : ends);
    }
  }
  EXPECT_GT(obstacles, 100);
  EXPECT_GT(ends, 100);
}

TEST(TargetDisc, IsEnteredAtTheFirstPointOfThePath) {
  const Grid grid{9, 7, 5, 50, 10, 20};                    // cells of 10 by 20
  const TargetDisc disc = target_disc(grid, 65, 110, 15);  // around the centre of (6, 3)
  EXPECT_EQ(disc.circle[0].column, 6);
  EXPECT_EQ(disc.circle[0].row, 3);
  EXPECT_DOUBLE_EQ(disc.entered_at(grid, 2, 3, 4, 0), 25.0 / 40);
  EXPECT_DOUBLE_EQ(disc.entered_at(grid, 2, 3, 6, 0), 25.0 / 60) << "past it";
  EXPECT_DOUBLE_EQ(disc.entered_at(grid, 2, 3, 2.5, 0), 1) << "up to the rim";
  EXPECT_EQ(disc.entered_at(grid, 2, 3, 2, 0), never_entered);
  EXPECT_EQ(disc.entered_at(grid, 2, 3, -4, 0), never_entered) << "away from it";
  EXPECT_EQ(disc.entered_at(grid, 5, 3, 1, 0), 0) << "from within";
  EXPECT_EQ(disc.entered_at(grid, 5, 3, -3, 0), 0);
  EXPECT_DOUBLE_EQ(disc.entered_at(grid, 6, 1, 0, 2), 25.0 / 40);
  EXPECT_EQ(disc.entered_at(grid, 2, 4, 6, 0), never_entered) << "20 from it";
  EXPECT_NEAR(disc.entered_at(grid, 2, 2, 4, 1), 1 - 15 / std::hypot(40, 20), 1e-15);
  EXPECT_EQ(disc.entered_at(grid, 2, 3, 0, 0), never_entered) << "who stays outside";
  EXPECT_EQ(disc.entered_at(grid, 6, 3, 0, 0), 0);
  EXPECT_DOUBLE_EQ(disc.distance(grid, 2, 3), 25);
  EXPECT_EQ(disc.distance(grid, 6, 3), 0);
  // Touching the disc counts.
  const TargetDisc small = target_disc(grid, 65, 115, 5);
  EXPECT_DOUBLE_EQ(small.entered_at(grid, 2, 3, 6, 0), 40.0 / 60);
}

TEST(TargetDisc, IsTestedOnlyNearTheDisc) {
  const Grid grid{40, 30, 0, 0, 1, 0.7};
  const TargetDisc disc = target_disc(grid, 20.3, 9.8, 2.6);
  std::int32_t possible = 0;
  std::int32_t entered = 0;
  for (std::int32_t cell = 0; cell < grid.cell_count(); ++cell) {
    const std::int32_t column = grid.column(CellIndex(cell));
    const std::int32_t row = grid.row(CellIndex(cell));
    for (std::int32_t dy = -4; dy <= 4; ++dy) {
      for (std::int32_t dx = -4; dx <= 4; ++dx) {
        const bool is_possible = disc.may_be_entered(grid, column, row, {dx, dy}, {dx, dy});
        const bool is_entered = disc.entered_at(grid, column, row, dx, dy) <= 1;
        ASSERT_TRUE(is_possible || !is_entered) << column << " " << row << " " << dx << " " << dy;
        possible += is_possible ? 1 : 0;
        entered += is_entered ? 1 : 0;
      }
    }
  }
  EXPECT_GT(entered, 3000);
  EXPECT_LT(possible, 3 * entered);
  EXPECT_FALSE(TargetDisc{}.may_be_entered(grid, 20, 14, {-4, -4}, {4, 4}));
}

TEST(TargetDisc, GivesTheSameNumbersInAWindow) {
  const Grid grid{12, 40, 0.1, 0.3, 0.37, 0.41};
  const Grid window = window_grid(grid, {13, 20, 9, 24});
  const TargetDisc disc = target_disc(grid, grid.x(5) + 0.1, grid.y(16) - 0.05, 1.1);
  for (std::int32_t row = 0; row < window.ny; ++row) {
    for (std::int32_t dx = -5; dx <= 5; ++dx) {
      EXPECT_EQ(disc.entered_at(window, 4, row, dx, 3), disc.entered_at(grid, 4, row + 9, dx, 3));
    }
    EXPECT_EQ(disc.distance(window, 1, row), disc.distance(grid, 1, row + 9));
  }
}

TEST(PolicyTransitions, KeepsTheTransitionsOfThePolicysAction) {
  const test::TemporaryFolder folder;
  auto info = test::plain_info(4, 3, 2, 1, 4);
  info.realization_weight = to_integer_weights({1, 2, 4, 1});
  test::write_environment(folder / "env.h5", info, [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
    const float coefficient[] = {-1, 0.5F, 0.49F, 0.5F};
    std::copy_n(coefficient, 4, fields.coefficient.begin());
  });
  const EnvironmentReader reader(folder / "env.h5");
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  const auto& weights = reader.info().realization_weight;
  const auto engine = make_cpu_engine(Engine::lattice, {LandingBy::cell, 8}, info.grid, info.time,
                                      make_actions({1}, 4, info.grid, info.time), 1);
  std::vector<std::int16_t> policy(12, no_action);
  policy[5] = 1;  // north
  const std::vector<CellIndex> cells{CellIndex(4), CellIndex(5)};
  PolicyTransitions transitions;
  transitions.expect(cells, policy);
  engine->count_level(fields.view(reader.info()), weights, cells, transitions);
  EXPECT_TRUE(transitions.of(CellIndex(4)).empty());
  const std::vector<Landing>& landings = transitions.of(CellIndex(5));
  ASSERT_EQ(landings.size(), 3u);  // half a cell is on the edge, which belongs to the next column
  EXPECT_EQ(landings[0].to.dx, -1);
  EXPECT_EQ(landings[1].to.dx, 0);
  EXPECT_EQ(landings[2].to.dx, 1);
  EXPECT_EQ(landings[0].to.dy, 1);
  EXPECT_EQ(landings[0].count, weight_total / 8);
  EXPECT_EQ(landings[1].count, weight_total / 2);
  EXPECT_EQ(landings[2].count, 3 * (weight_total / 8));
}

}  // namespace
}  // namespace tidewise
