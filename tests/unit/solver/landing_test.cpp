// Where one step can lead, and what that is called.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "env/file/reader.h"
#include "env/weights.h"
#include "model_builder/engines.h"
#include "solver/evaluate/policy_transitions.h"
#include "solver/policy/policy.h"
#include "solver/step/outcome.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(LandingRule, SaysWhatTheOutcomeRuleValues) {
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
    const LandingRule rule{grid, last, {target.data(), 42}, {now.data(), 42}, {next.data(), 42}};
    const OutcomeRule worth{rule, -1000, 100, 0, {value.data(), 42}, {}, {}};
    for (int n = 0; n < 200; ++n) {
      const int i = static_cast<int>(random() % 7);
      const int j = static_cast<int>(random() % 6);
      const Offset to{static_cast<int>(random() % 7) - 3, static_cast<int>(random() % 7) - 3};
      float expected = -1000;
      switch (rule(i, j, to)) {
        case StepOutcome::arrived:
          expected = 99;
          break;
        case StepOutcome::under_way:
          expected = -1 + value[static_cast<std::size_t>(grid.cell(i + to.dx, j + to.dy).value)];
          break;
        default:
          break;
      }
      ASSERT_EQ(worth.worth(rule(i, j, to), i, j, to, -1), expected);
    }
  }
}

TEST(PolicyTransitions, KeepsTheActionOfThePolicy) {
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
  PolicyTransitions kept;
  kept.expect(cells, policy);
  engine->count_level(fields.view(reader.info()), weights, cells, kept);
  EXPECT_TRUE(kept.of(CellIndex(4)).empty());
  const std::vector<Landing>& landings = kept.of(CellIndex(5));
  ASSERT_EQ(landings.size(), 3u);  // from the west: −1, 0, and 1 for half a cell, edge included
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
