// The forward evaluation and the chain rollout against the value that backward induction promises,
// on a small stochastic double gyre with moving obstacles.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "env/double_gyre.h"
#include "env/weights.h"
#include "model_builder/counting_engine.h"
#include "solver/forward_evaluation.h"
#include "solver/landing_rule.h"
#include "solver/policy_landings.h"
#include "solver/rollout.h"
#include "solver/rollout_statistics.h"
#include "support/environment_builder.h"
#include "support/reference_solver.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

/// A solved mission on the gyre.
class FlightOnGyre : public testing::TestWithParam<Objective> {
 protected:
  static constexpr std::int32_t levels = 22;

  FlightOnGyre() {
    DoubleGyreOptions options;
    options.nx = 24;
    options.ny = 20;
    options.level_count = levels;
    options.mode_count = 3;
    options.realization_count = 100;
    SilentProgress progress;
    write_double_gyre(folder_ / "env.h5", options, progress);
  }

  void solve(Objective objective) {
    const auto& info = reader().info();
    mission_.objective = objective;
    mission_.energy = {.c_f = 1.5, .c_t = 0.1, .c_r = 0.7, .alpha = 0.3};
    mission_.start = info.grid.cell(12, 4);
    mission_.start_x = 12.6;
    mission_.start_y = 4.3;
    mission_.target = target_cells(info.grid, 12.5, 15.5, 1.0);
    mission_.departure = TimeLevel(10);
    mission_.last = TimeLevel(levels - 1);
    actions_ = make_actions({0, 0.6, 1.2}, 6, info.grid, info.time);
    policy_ = PolicyTable(info.grid, mission_.last);
    test::solve_reference(reader(), actions_, mission_, policy_);
  }

  const EnvironmentReader& reader() {
    if (!reader_) reader_.emplace(folder_ / "env.h5");
    return *reader_;
  }

  double value_at_start() const {
    const std::size_t cells = policy_.value.size() / levels;
    return policy_.value[cells * static_cast<std::size_t>(mission_.departure.value) +
                         static_cast<std::size_t>(mission_.start.value)];
  }

  RolloutResult fly_by(RolloutMode mode, std::int32_t flights, std::int32_t threads) {
    RolloutOptions options;
    options.mode = mode;
    options.flights = flights;
    options.seed = 11;
    options.threads = threads;
    return fly(reader(), actions_, mission_, policy_, options, progress_);
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  Mission mission_;
  PolicyTable policy_{Grid{2, 2, 0, 0, 1, 1}, TimeLevel(0)};
  SilentProgress progress_;
};

TEST_P(FlightOnGyre, TheForwardEvaluationMeetsTheBackwardValue) {
  solve(GetParam());
  const ExpectedOutcome expected =
      evaluate_policy(reader(), actions_, mission_, policy_, 1, progress_);
  // The value is rounded to float32 at each of 20 levels; the forward pass is in double.
  EXPECT_NEAR(expected.value, value_at_start(), 2e-3);
  EXPECT_NEAR(expected.arrival_probability + expected.obstacle_probability +
                  expected.out_of_domain_probability + expected.out_of_time_probability,
              1, 1e-12);
  // A mission that may well fail, in two ways, or the test says little.
  EXPECT_GT(expected.arrival_probability, 0.1);
  EXPECT_LT(expected.arrival_probability, 0.9999);
  EXPECT_LT(expected.net_energy, expected.energy);
}

TEST_P(FlightOnGyre, TheChainsMeanMeetsTheValue) {
  solve(GetParam());
  const auto statistics = summarize(fly_by(RolloutMode::chain, 4000, 2), reader().info());
  EXPECT_EQ(statistics.trajectories, 4000);
  EXPECT_GT(statistics.standard_error, 0);
  EXPECT_NEAR(statistics.mean_total_reward, value_at_start(), 4 * statistics.standard_error);
  const auto expected = evaluate_policy(reader(), actions_, mission_, policy_, 1, progress_);
  const double p = expected.arrival_probability;
  EXPECT_NEAR(statistics.arrival_rate, p, 4 * std::sqrt(p * (1 - p) / 4000));
  EXPECT_NEAR(statistics.time.mean, expected.time, 0.2);
  EXPECT_NEAR(statistics.net_energy.mean, expected.net_energy, 0.4);
}

INSTANTIATE_TEST_SUITE_P(Objectives, FlightOnGyre,
                         testing::Values(Objective::time, Objective::energy, Objective::net_energy,
                                         Objective::weighted),
                         [](const auto& objective) {
                           return std::string(to_string(objective.param));
                         });

using Threads = FlightOnGyre;

bool same_bits(const ExpectedOutcome& a, const ExpectedOutcome& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_bits(const RolloutResult& a, const RolloutResult& b) {
  if (a.trajectories.size() != b.trajectories.size()) return false;
  for (std::size_t n = 0; n < a.trajectories.size(); ++n) {
    const auto& s = a.trajectories[n];
    const auto& t = b.trajectories[n];
    if (s.outcome != t.outcome || s.total_reward != t.total_reward ||
        s.points.size() != t.points.size() ||
        std::memcmp(s.points.data(), t.points.data(), s.points.size() * sizeof(TrajectoryPoint)) !=
            0) {
      return false;
    }
  }
  return true;
}

TEST_F(Threads, DoNotChangeABit) {
  solve(Objective::net_energy);
  const auto expected = evaluate_policy(reader(), actions_, mission_, policy_, 1, progress_);
  const auto chain = fly_by(RolloutMode::chain, 300, 1);
  const auto continuous = fly_by(RolloutMode::continuous, 0, 1);
  EXPECT_FALSE(same_bits(chain, continuous));
  for (const std::int32_t threads : {2, 3}) {
    EXPECT_TRUE(same_bits(
        evaluate_policy(reader(), actions_, mission_, policy_, threads, progress_), expected));
    EXPECT_TRUE(same_bits(fly_by(RolloutMode::chain, 300, threads), chain));
    EXPECT_TRUE(same_bits(fly_by(RolloutMode::continuous, 0, threads), continuous));
  }
}

TEST_F(Threads, ContinuousFlightsStayInTheWater) {
  solve(Objective::time);
  const auto& info = reader().info();
  const auto rollout = fly_by(RolloutMode::continuous, 0, 2);
  LevelFields<> fields(info);
  for (const Trajectory& flight : rollout.trajectories) {
    if (flight.outcome != TrajectoryOutcome::arrived) continue;
    for (std::size_t n = 0; n < flight.points.size(); ++n) {
      reader().read_level(TimeLevel(mission_.departure.value + static_cast<std::int32_t>(n)),
                          fields);
      const auto& p = flight.points[n];
      const CellIndex cell = info.grid.cell(info.grid.column_at(p.x), info.grid.row_at(p.y));
      EXPECT_EQ(fields.closed[static_cast<std::size_t>(cell.value)], 0);
    }
  }
}

TEST(LandingRule, IsTheOutcomeRuleByName) {
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
    const OutcomeRule worth{grid,
                            last,
                            -1000,
                            100,
                            0,
                            {value.data(), 42},
                            {target.data(), 42},
                            {now.data(), 42},
                            {next.data(), 42},
                            {},
                            {}};
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
      ASSERT_EQ(worth(i, j, to, -1), expected);
    }
  }
}

TEST(PolicyLandings, KeepsTheActionOfThePolicy) {
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
  const auto engine = make_cpu_engine(Engine::lattice, info.grid, info.time,
                                      make_actions({1}, 4, info.grid, info.time), 1);
  std::vector<std::int16_t> policy(12, no_action);
  policy[5] = 1;  // north
  const std::vector<CellIndex> cells{CellIndex(4), CellIndex(5)};
  PolicyLandings kept;
  kept.expect({cells.data(), cells.size()}, {policy.data(), policy.size()});
  engine->count_level(fields.view(reader.info()), {weights.data(), weights.size()},
                      {cells.data(), cells.size()}, kept);
  EXPECT_TRUE(kept.of(0).empty());
  const std::vector<Landing>& landings = kept.of(1);
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
