#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "mdp/learning/policy_value.h"
#include "mdp/process/exact_comparison.h"
#include "mdp/worlds/mine_field.h"
#include "support/error_code.h"
#include "support/mdp/policy_value.h"
#include "support/mdp/process_cases.h"
#include "unit/mdp/learning_runs.h"

namespace tidewise::mdp {
namespace {

using cases::expect_same;
using cases::learn;

using testing::Each;

TEST(QLearning, FindsTheFourCellWorld) {
  const auto solution =
      learn(test::four_cell_world<double>(), {.agents = 16, .steps = 2000, .learning_rate = 0.5});
  EXPECT_THAT(solution.value, testing::Pointwise(testing::DoubleNear(1e-6), {8., 10., 10., 0.}));
  EXPECT_THAT(solution.action, testing::ElementsAre(testing::AnyOf(0, 1), 1, 0, -1));
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.sweeps, 2000);
  EXPECT_EQ(solution.learning.steps, 32'000);
  EXPECT_EQ(solution.learning.unvisited_rows, 0);
}

template <class Real>
class QLearningOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(QLearningOf, Reals);

TYPED_TEST(QLearningOf, ConvergesToTheExactValue) {
  const auto process = test::make_process<TypeParam>({.states = 12, .actions = 3});
  const auto exact = test::reference_values(process);
  double previous = INFINITY;
  for (const std::int64_t steps : {400, 4000, 40'000}) {
    const auto solution = learn(process, {.agents = 64,
                                          .steps = steps,
                                          .learning_rate = 1,
                                          .learning_decay = 0.08,
                                          .exploration = 1});
    const ExactComparison comparison = compare_with_exact(solution, exact);
    EXPECT_LT(comparison.greatest_difference, previous / 2) << steps;
    EXPECT_LE(comparison.mean_difference, comparison.greatest_difference);
    previous = comparison.greatest_difference;
    if (steps < 40'000) continue;
    EXPECT_TRUE(test::is_greedy(process, exact, solution.action, 0.01));
  }
  EXPECT_LT(previous, 0.02);
}

TEST(QLearning, CrossesTheMineFieldWithDefaults) {
  for (const std::int32_t moves : {4, 8}) {
    const auto process = make_mine_field<float>({.moves = moves});
    const auto exact = test::reference_values(process);
    for (const std::uint64_t seed : {1}) {
      const auto solution = learn(process, {.steps = 20'000, .seed = seed}, 2);
      const auto achieved = test::value_of_policy(process, solution.action);
      EXPECT_GT(exact[0], 0);
      EXPECT_GE(achieved[0], 0.98 * exact[0]) << moves << " moves, seed " << seed;
      EXPECT_LE(achieved[0], exact[0] + 1e-6);
    }
  }
}

TEST(QLearning, KeepsIntermediatePolicies) {
  const auto process = make_mine_field<double>({.moves = 4});
  const auto exact = test::reference_values(process);
  const auto solution = learn(process, {.steps = 4000, .curve_points = 3}, 2);
  const std::vector<LearnedPolicy>& curve = solution.learning.curve;
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[0].rounds, 1333);
  EXPECT_EQ(curve[2].rounds, 4000);
  EXPECT_EQ(curve[2].action, solution.action);
  const auto first = test::value_of_policy(process, curve[0].action);
  const auto last = test::value_of_policy(process, curve[2].action);
  EXPECT_GT(last[0], first[0]);
  expect_same(solution, learn(process, {.steps = 4000}, 2));
  const auto value = policy_value(process, curve[0].action, 2);
  for (std::size_t s = 0; s < value.size(); ++s) EXPECT_NEAR(value[s], first[s], 1e-6);
}

TEST(QLearning, LearnsValuesNearTheExactOnes) {
  const auto process = make_mine_field<float>({});
  const auto exact = test::reference_values(process);
  const auto solution = learn(process, {.steps = 20'000}, 2);
  const ExactComparison comparison = compare_with_exact(solution, exact);
  EXPECT_GT(comparison.states, 1800);
  EXPECT_LT(comparison.mean_difference, 1);
  const auto untrained = learn(process, {.agents = 512, .steps = 50}, 2);
  EXPECT_LT(test::value_of_policy(process, untrained.action)[0], 0);
}

// Prints the speed: --gtest_also_run_disabled_tests --gtest_filter='*Speed'.
TEST(QLearning, DISABLED_Speed) {
  const auto process = make_mine_field<float>({});
  for (const std::int32_t threads : {1, 2}) {
    const auto solution =
        learn(process, {.steps = 10'000, .learning_rate = 1, .learning_decay = 0.03}, threads);
    fmt::print("{} threads: {:.1f} million steps a second\n", threads,
               1e-6 * static_cast<double>(solution.learning.steps) / solution.sweep_seconds);
  }
}

TEST(QLearning, DoesNotDependOnTheNumberOfThreads) {
  const auto process = test::make_process<float>({.seed = 2, .actions = 6});
  for (const std::int32_t agents : {1, 512, 1000, 4096}) {
    const QLearningOptions learning{
        .agents = agents, .steps = 60, .episode_steps = 20, .learning_decay = 0.01};
    const auto single_thread = learn(process, learning, 1);
    expect_same(single_thread, learn(process, learning, 2));
    expect_same(single_thread, learn(process, learning, 3));
  }
}

TEST(QLearning, DependsOnTheSeed) {
  const auto process = test::make_process<double>({});
  EXPECT_EQ(learn(process, {.steps = 20, .seed = 3}).value,
            learn(process, {.steps = 20, .seed = 3}).value);
  EXPECT_NE(learn(process, {.steps = 20, .seed = 3}).value,
            learn(process, {.steps = 20, .seed = 4}).value);
}

TEST(QLearning, ExploresAtTheRequestedRate) {
  const auto process = test::make_process<double>({});
  for (const double share : {0.0, 0.3, 1.0}) {
    const auto solution = learn(
        process, {.agents = 1000, .steps = 100, .exploration = share, .exploration_end = share});
    const double explored =
        double(solution.learning.explored_steps) / double(solution.learning.steps);
    EXPECT_NEAR(explored, share, 5 * std::sqrt(share * (1 - share) / 1e5));
  }
  // The share decreases geometrically from 1 to 0.1. Its mean is 0.9 / ln 10.
  const auto geometric =
      learn(process, {.agents = 1000, .steps = 1000, .exploration = 1, .exploration_end = 0.1});
  EXPECT_NEAR(double(geometric.learning.explored_steps) / 1e6, 0.9 / std::log(10.0), 2e-3);
  // The share decreases by 0.01 per step: 1 + 0.99 + … + 0.01 random steps of each agent.
  const auto linear = learn(process, {.agents = 1000,
                                      .steps = 1000,
                                      .exploration = 1,
                                      .exploration_end = 0,
                                      .exploration_decrement = 0.01});
  EXPECT_NEAR(double(linear.learning.explored_steps) / 1000, 50.5, 0.6);
}

TEST(QLearning, ExploresActionsUniformly) {
  // One state that leads to itself by three of five actions.
  DecisionProcess<double> process;
  process.state_count = 1;
  process.action_count = 5;
  process.row_begin = {0, 0, 1, 2, 2, 3};
  process.successor = {0, 0, 0};
  process.probability = {1, 1, 1};
  process.reward = {0, 1, 2, 0, 3};
  process.discount = 0.5;
  const auto solution =
      learn(process, {.agents = 100, .steps = 900, .exploration = 1, .exploration_end = 1});
  EXPECT_EQ(solution.learning.visits[0], 0);
  EXPECT_EQ(solution.learning.visits[3], 0);
  for (const std::size_t action : {1, 2, 4}) {
    EXPECT_NEAR(double(solution.learning.visits[action]), 30'000, 5 * std::sqrt(20'000.0));
  }
  EXPECT_EQ(solution.action[0], 4);
  EXPECT_NEAR(solution.value[0], 6, 1e-9);  // deterministic: 3 / (1 − γ)
}

TEST(QLearning, BeginsEpisodesInTheInitialState) {
  const auto process = test::four_cell_world<double>();
  const auto solution = learn(
      process, {.agents = 10, .steps = 100, .episode_steps = 1, .begins = EpisodeStart::initial});
  // With one step per episode every step is in the initial state.
  for (std::size_t row = 4; row < 12; ++row) EXPECT_EQ(solution.learning.visits[row], 0);
  EXPECT_EQ(solution.learning.episodes, 1000);
  EXPECT_EQ(solution.learning.unvisited_rows, 8);
  EXPECT_EQ(solution.action[1], 0);  // never visited: its first action
  EXPECT_EQ(solution.value[1], 0);
  EXPECT_EQ(compare_with_exact(solution, test::reference_values(process)).states, 1);
}

TEST(QLearning, UsesValuesOfTerminalStates) {
  auto process = test::four_cell_world<double>();
  process.initial_value = {0, 0, 0, 50};
  const auto solution = learn(process, {.agents = 64, .steps = 2000, .learning_rate = 0.5});
  EXPECT_NEAR(solution.value[1], 10 + 0.9 * 50, 1e-6);
  EXPECT_EQ(solution.value[3], 50);
}

TEST(QLearning, AcceptsOnlyTerminalStates) {
  DecisionProcess<double> process;
  process.state_count = 2;
  process.action_count = 1;
  process.row_begin = {0, 0, 0};
  process.reward = {0, 0};
  process.initial_value = {3, 4};
  const auto solution = learn(process, {});
  EXPECT_THAT(solution.value, testing::ElementsAre(3, 4));
  EXPECT_THAT(solution.action, Each(-1));
  EXPECT_EQ(solution.sweeps, 0);
  EXPECT_EQ(solution.learning.steps, 0);
}

TEST(QLearning, LearnsWithoutDiscount) {
  auto process = test::four_cell_world<double>();
  process.discount = 1;
  const auto solution = learn(process, {.agents = 64, .steps = 3000, .learning_rate = 0.5});
  EXPECT_NEAR(solution.value[0], 9, 1e-6);
}

struct Refusal {
  const char* name;
  QLearningOptions learning;
  const char* words;
};
class RefusedLearning : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedLearning, ReportsTheReason) {
  try {
    learn(test::three_state_process<double>(), GetParam().learning);
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code_of(GetParam().words));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedLearning,
    testing::Values(
        Refusal{"agents", {.agents = 0}, "1 to 16777216 [q_learning_option_invalid]"},
        Refusal{"steps", {.steps = 0}, "steps of each agent [q_learning_option_invalid]"},
        Refusal{"episode", {.episode_steps = 0}, "steps of an episode [q_learning_option_invalid]"},
        Refusal{
            "rate", {.learning_rate = 1.5}, "is not a learning rate [q_learning_option_invalid]"},
        Refusal{
            "nan", {.learning_rate = NAN}, "is not a learning rate [q_learning_option_invalid]"},
        Refusal{"decay", {.learning_decay = -1}, "is not a decay [q_learning_option_invalid]"},
        Refusal{"exploration",
                {.exploration = 2},
                "is not a share of random steps [q_learning_option_invalid]"},
        Refusal{"rising",
                {.exploration = 0.1, .exploration_end = 0.2},
                "is not a final share of random steps [q_learning_option_invalid]"},
        Refusal{"decrement",
                {.exploration_decrement = 2},
                "is not a decrement of the share of random steps [q_learning_option_invalid]"},
        Refusal{"averaged",
                {.averaged_share = 1.5},
                "is not a share of rounds to average [q_learning_option_invalid]"},
        Refusal{"lanes", {.lanes = 3}, "threads per agent [q_learning_option_invalid]"},
        Refusal{"to_none",
                {.exploration = 0.1, .exploration_end = 0},
                "is not a final share of random steps [q_learning_option_invalid]"}),
    [](const auto& refusal) { return refusal.param.name; });

TEST(PolicyValue, MatchesAHandCalculation) {
  const auto process = test::four_cell_world<double>();
  EXPECT_THAT(test::value_of_policy(process, {1, 1, 0, -1}),
              testing::Pointwise(testing::DoubleNear(1e-9), {8., 10., 10., 0.}));
  // States 0 and 1 go up for ever: −1 / (1 − γ).
  EXPECT_THAT(test::value_of_policy(process, {3, 3, 0, -1}),
              testing::Pointwise(testing::DoubleNear(1e-9), {-10., -10., 10., 0.}));
}

}  // namespace
}  // namespace tidewise::mdp
