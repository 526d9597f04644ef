#include <gmock/gmock.h>

#include <array>
#include <barrier>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "mdp/learning/agent.h"
#include "mdp/learning/plan.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

constexpr double not_allowed = -std::numeric_limits<double>::infinity();

/// Lanes that share an agent like those of a device: threads that synchronize at every collective
/// call.
class ThreadLanes {
 public:
  struct Barrier {
    explicit Barrier(std::int32_t width) : barrier(width), exchanged(std::size_t(width)) {}
    std::barrier<> barrier;
    std::vector<BestAction<double>> exchanged;
  };
  ThreadLanes(Barrier& barrier, std::int32_t lane) : barrier_(&barrier), lane_(lane) {}
  std::int32_t lane() const { return lane_; }
  std::int32_t width() const { return static_cast<std::int32_t>(barrier_->exchanged.size()); }
  std::uint32_t ballot(bool vote) const {
    std::uint32_t bits = 0;
    const auto exchanged = exchange({0, vote ? 1 : 0});
    for (std::size_t n = 0; n < exchanged.size(); ++n)
      bits |= std::uint32_t(exchanged[n].action) << n;
    return bits;
  }
  std::int32_t count(std::uint32_t bits) const { return std::popcount(bits); }
  template <class Real>
  BestAction<Real> best(BestAction<Real> action) const {
    for (std::int32_t distance = width() / 2; distance > 0; distance /= 2) {
      action = better_of(action, exchange(action)[std::size_t(lane_ ^ distance)]);
    }
    return action;
  }

 private:
  std::vector<BestAction<double>> exchange(BestAction<double> action) const {
    barrier_->exchanged[std::size_t(lane_)] = action;
    barrier_->barrier.arrive_and_wait();
    const auto exchanged = barrier_->exchanged;
    barrier_->barrier.arrive_and_wait();
    return exchanged;
  }
  Barrier* barrier_;
  std::int32_t lane_;
};

template <class Body>
void run_lanes(std::int32_t width, const Body& body) {
  ThreadLanes::Barrier barrier(width);
  std::vector<std::jthread> threads;
  for (std::int32_t lane = 0; lane < width; ++lane) {
    threads.emplace_back([&barrier, &body, lane] { body(ThreadLanes(barrier, lane)); });
  }
}

TEST(LearningAgent, TakesTheLowestOfTheBestActions) {
  const std::vector<double> value{not_allowed, 2, 5, not_allowed, 5, 1};
  const StateChoices<double> choices = find_choices(value.data(), 6, OneLane{});
  EXPECT_EQ(choices.best.action, 2);
  EXPECT_EQ(choices.best.value, 5);
  EXPECT_EQ(choices.allowed, 4);
  const std::vector<double> terminal(6, not_allowed);
  EXPECT_EQ(find_choices(terminal.data(), 6, OneLane{}).best.action, -1);
}

TEST(LearningAgent, CountsAllowedActions) {
  const std::vector<double> value{not_allowed, 2, 5, not_allowed, 5, 1};
  for (const auto& [index, action] : {std::pair(0u, 1), {1u, 2}, {2u, 4}, {3u, 5}}) {
    EXPECT_EQ(allowed_action(value.data(), 6, index, OneLane{}), action);
  }
}

TEST(LearningAgent, ChoosesTheSameWithAnyNumberOfLanes) {
  const std::int32_t actions = 70;
  std::vector<double> value(std::size_t(actions), not_allowed);
  for (std::int32_t a = 0; a < actions; ++a) {
    if (a % 3 != 0) value[std::size_t(a)] = -std::abs(a % 11 - 7.0);  // ties among 7, 29, 40 …
  }
  const StateChoices<double> single_lane = find_choices(value.data(), actions, OneLane{});
  EXPECT_EQ(single_lane.best.action, 7);
  for (const std::int32_t width : {2, 8, 32}) {
    run_lanes(width, [&](const ThreadLanes& lanes) {
      const StateChoices<double> shared = find_choices(value.data(), actions, lanes);
      EXPECT_EQ(shared.best.action, single_lane.best.action);
      EXPECT_EQ(shared.best.value, single_lane.best.value);
      EXPECT_EQ(shared.allowed, single_lane.allowed);
      for (std::uint32_t index = 0; index < std::uint32_t(single_lane.allowed); ++index) {
        EXPECT_EQ(allowed_action(value.data(), actions, index, lanes),
                  allowed_action(value.data(), actions, index, OneLane{}));
      }
    });
  }
}

TEST(QTable, MatchesAHandCalculation) {
  std::vector<double> value{1};
  std::vector<unsigned long long> error_sum{0};
  std::vector<unsigned> hits{0};
  std::vector<std::int64_t> visits{3};
  const QTable<double> table{{value.data(), 1},
                             {error_sum.data(), 1},
                             {hits.data(), 1},
                             {visits.data(), 1},
                             0x1p40,
                             0.5,
                             1};
  EXPECT_TRUE(table.add_error(0, -2.0));  // the first error claims the row
  EXPECT_FALSE(table.add_error(0, -4.0));
  table.settle(0);
  // α = 0.5 / (1 + 3), twice: 1 − (7/8)² = 15/64 of the mean error −3
  EXPECT_DOUBLE_EQ(value[0], 1 - 3.0 * 15 / 64);
  EXPECT_EQ(visits[0], 5);
  EXPECT_EQ(hits[0], 0u);
  EXPECT_EQ(error_sum[0], 0u);
}

TEST(QTable, AveragesOverVisits) {
  std::vector<double> value{1};
  std::vector<unsigned long long> error_sum{0};
  std::vector<unsigned> hits{0};
  std::vector<std::int64_t> visits{3};
  std::vector<double> mean{0};
  std::vector<std::int64_t> averaged{0};
  const QTable<double> table{{value.data(), 1},
                             {error_sum.data(), 1},
                             {hits.data(), 1},
                             {visits.data(), 1},
                             0x1p40,
                             0.5,
                             0,
                             {mean.data(), 1},
                             {averaged.data(), 1}};
  table.add_error(0, 2.0);
  table.settle(0);  // Q = 2, not averaged
  table.add_error(0, 2.0);
  table.settle(0, true);  // Q = 3
  table.add_error(0, 4.0);
  table.add_error(0, 4.0);
  table.settle(0, true);  // Q = 3 + 4 · 3/4 = 6, twice
  EXPECT_DOUBLE_EQ(mean[0], (3 + 6 + 6) / 3.0);
  EXPECT_EQ(averaged[0], 3);
  EXPECT_EQ(visits[0], 7);
}

TEST(QTable, SumsManyErrorsExactly) {
  std::vector<float> value{0};
  std::vector<unsigned long long> error_sum{0};
  std::vector<unsigned> hits{0};
  std::vector<std::int64_t> visits{0};
  const QTable<float> table{
      {value.data(), 1}, {error_sum.data(), 1}, {hits.data(), 1}, {visits.data(), 1}, 0x1p30, 1, 0};
  for (int n = 0; n < 100'000; ++n) table.add_error(0, n % 2 == 0 ? 3.25F : -1.25F);
  table.settle(0);
  EXPECT_EQ(value[0], 1.0F);
}

TEST(Simulator, SamplesByProbability) {
  // Four successors, one of them impossible.
  DecisionProcess<float> process;
  process.state_count = 4;
  process.action_count = 1;
  process.row_begin = {0, 4, 4, 4, 4};
  process.successor = {0, 1, 2, 3};
  process.probability = {0.5F, 0.3F, 0.2F, 0};
  process.reward = {7, 0, 0, 0};
  process.entry_reward = {1, 2, 3, 4};
  const std::vector<float> row_reward{5, 0, 0, 0};
  const Simulator<float> simulator{
      view_of(process), {row_reward.data(), 4}, {process.entry_reward.data(), 4}};
  const int draws = 100'000;
  std::array<int, 4> draws_of{};
  const Philox random(11);
  for (int n = 0; n < draws; ++n) {
    const auto words = random(std::uint32_t(n), 0);
    const auto step = simulator.step(0, words.word[0], words.word[1]);
    ++draws_of[std::size_t(step.successor)];
    EXPECT_EQ(step.reward, 6 + step.successor);
  }
  double chi_square = 0;
  for (std::size_t n = 0; n < 3; ++n) {
    const double expected = draws * double(process.probability[n]);
    chi_square += (draws_of[n] - expected) * (draws_of[n] - expected) / expected;
  }
  EXPECT_LT(chi_square, 13.8);  // 2 degrees of freedom, 0.1 %
  EXPECT_EQ(draws_of[3], 0);
  // The ends of the range; the deficit of the sum goes to the last possible successor.
  EXPECT_EQ(simulator.step(0, 0, 0).successor, 0);
  EXPECT_EQ(simulator.step(0, ~0u, ~0u).successor, 2);
}

TEST(LearningPlan, SplitsRewardsOfRowsAndTransitions) {
  const auto process = test::make_process<double>({.seed = 8});
  const LearningPlan<double> plan(process, {});
  for (std::size_t row = 0; row < plan.row_reward.size(); ++row) {
    double expected = plan.row_reward[row];
    for (auto n = std::size_t(process.row_begin[row]); n < std::size_t(process.row_begin[row + 1]);
         ++n) {
      expected += process.probability[n] * process.entry_reward[n];
    }
    EXPECT_NEAR(expected, process.reward[row], 1e-12);
  }
}

TEST(LearningPlan, DecreasesExplorationGeometrically) {
  const auto process = test::four_cell_world<double>();
  const LearningPlan<double> plan(process,
                                  {.steps = 1001, .exploration = 1, .exploration_end = 0.01});
  ASSERT_EQ(plan.round().stage_rounds, 1);
  ASSERT_EQ(plan.exploration.size(), 1001u);
  EXPECT_EQ(plan.exploration.front(), std::uint64_t{1} << 32);  // all words are below it
  EXPECT_NEAR(double(plan.exploration[500]) * 0x1p-32, 0.1, 1e-9);
  EXPECT_NEAR(double(plan.exploration.back()) * 0x1p-32, 0.01, 1e-9);
  const LearningPlan<double> longer(process, {.steps = 1'000'000});
  EXPECT_LE(longer.exploration.size(), 4096u);
  EXPECT_GE(std::int64_t(longer.exploration.size()) * longer.round().stage_rounds, 1'000'000);
}

TEST(LearningPlan, DecreasesExplorationLinearly) {
  const auto process = test::four_cell_world<double>();
  const LearningPlan<double> plan(process, {.steps = 1'000'000,
                                            .exploration = 1,
                                            .exploration_end = 0.25,
                                            .exploration_decrement = 0.01});
  LearningRound<double> round = plan.round();
  round.exploration = plan.exploration;
  const auto share = [&](std::int64_t n) { return double(round.exploration_in(n)) * 0x1p-32; };
  EXPECT_EQ(share(0), 1);
  EXPECT_NEAR(share(1), 0.99, 1e-9);
  EXPECT_NEAR(share(74), 0.26, 1e-9);
  EXPECT_EQ(share(75), 0.25);
  EXPECT_EQ(share(999'999), 0.25);
}

TEST(LearningPlan, LeavesRoomForSumsOfAllAgents) {
  auto process = test::four_cell_world<double>();
  process.reward[0] = 1e4;
  const LearningPlan<double> plan(process, {.agents = 65536});
  // |r| is 1e4 at most, |Q| 1e5, so an error 2.1e5
  EXPECT_LE(2.1e5 * 65536 * plan.round().table.to_fixed, 0x1p62);
  EXPECT_GE(plan.round().table.to_fixed, 0x1p20);
}

}  // namespace
}  // namespace tidewise::mdp
