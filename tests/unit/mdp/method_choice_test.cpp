#include "mdp/solve/method_choice.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/progress.h"
#include "mdp/fused/model_sample.h"
#include "mdp/solve/solve_process.h"
#include "mdp/worlds/gridworld.h"
#include "mdp/worlds/sample_worlds.h"
#include "support/campaign.h"
#include "support/mdp/process_cases.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

Method chosen_method(const DecisionProcess<double>& process, const SolverOptions& options = {}) {
  const MethodChoice choice = choose_method(process, SolveOptions(options));
  EXPECT_FALSE(choice.reason.empty());
  return choice.method;
}

DecisionProcess<double> sample(const char* kind, double discount) {
  return make_sample_world<double>({kind, discount, 0.02});
}

TEST(MethodChoice, ChoosesTheFusedMethodIfRowsRepeat) {
  EXPECT_EQ(chosen_method(make_gridworld<double>(wet_floor_world(128, 4), 1)), Method::fused);
  GridworldOptions high_discount = slip_world(200, 100, 0.1);
  high_discount.discount = 0.999;
  EXPECT_EQ(chosen_method(make_gridworld<double>(high_discount, 1)), Method::fused);
}

TEST(MethodChoice, ChoosesPolicyIterationIfRowsDiffer) {
  for (const double discount : {0.5, 0.9, 0.99}) {
    EXPECT_EQ(chosen_method(sample("random", discount)), Method::inexact_policy_iteration);
    EXPECT_EQ(chosen_method(sample("inventory", discount)), Method::inexact_policy_iteration);
  }
}

/// Returns a slip world or a wet floor with rewired successors.
DecisionProcess<double> rewired_world(GridworldOptions options, double share, double discount) {
  options.rewired_share = share;
  options.discount = discount;
  return make_gridworld<double>(options, 1);
}

TEST(MethodChoice, BeginsWithTheFusedMethodIfSweepsAreCheap) {
  const auto may_switch_method = [](const DecisionProcess<double>& process) {
    const MethodChoice choice = choose_method(process, {});
    EXPECT_EQ(choice.method, Method::fused);
    return choice.may_switch_method;
  };
  EXPECT_TRUE(may_switch_method(sample("queues", 0.9)));
  EXPECT_TRUE(may_switch_method(sample("queues", 0.99)));
  EXPECT_TRUE(may_switch_method(rewired_world(wet_floor_world(128, 4), 0.1, 0.99)));
  EXPECT_TRUE(may_switch_method(rewired_world(slip_world(128, 128, 0.1), 0.5, 0.99)));
  EXPECT_FALSE(may_switch_method(make_gridworld<double>(wet_floor_world(128, 4), 1)));
}

TEST(MethodChoice, SwitchesIfChangesShrinkSlowly) {
  SilentProgress progress;
  SolveOptions options;
  options.method = Method::automatic;
  const auto fast_process = rewired_world(slip_world(128, 128, 0.1), 0.1, 0.99);
  const auto fused_solution = solve_process(fast_process, options, progress);
  EXPECT_TRUE(fused_solution.converged);
  EXPECT_EQ(fused_solution.method, Method::fused);
  EXPECT_EQ(fused_solution.turned_at, 0);

  const auto slow_process = rewired_world(wet_floor_world(128, 4), 0.1, 0.99);
  std::vector<SweepRecord> history;
  SolveOptions recorded = options;
  recorded.history = &history;
  const auto switched = solve_process(slow_process, recorded, progress);
  EXPECT_TRUE(switched.converged);
  EXPECT_EQ(switched.method, Method::inexact_policy_iteration);
  EXPECT_EQ(switched.turned_at, 96);
  EXPECT_GT(switched.sweeps, 96);
  EXPECT_LE(switched.bounds.error(), options.tolerance);
  ASSERT_FALSE(history.empty());
  EXPECT_EQ(history.back().sweeps, switched.sweeps);
  for (std::size_t n = 1; n < history.size(); ++n) {
    EXPECT_LT(history[n - 1].sweeps, history[n].sweeps);
  }
  SolveOptions fused;
  const auto fused_only = solve_process(slow_process, fused, progress);
  EXPECT_EQ(fused_only.method, Method::fused);
  EXPECT_GT(fused_only.sweeps, 3 * 96);
  for (std::size_t s = 0; s < fused_only.value.size(); ++s) {
    ASSERT_NEAR(switched.value[s], fused_only.value[s], 2 * options.tolerance);
  }
  recorded.max_sweeps = 100;
  EXPECT_FALSE(solve_process(slow_process, recorded, progress).converged);
}

TEST(MethodChoice, ChoosesPolicyIterationForSmallSlowModels) {
  auto process = test::three_state_process<double>();
  process.discount = 1 - 1e-5;
  EXPECT_EQ(chosen_method(process), Method::inexact_policy_iteration);
}

/// Returns a process whose rows lead on once in 10 to 10⁶ steps, with rewards from 0.001 to 9000 of
/// either sign.
DecisionProcess<double> seldom_left(std::mt19937& random, std::int32_t states) {
  const auto below = [&](std::uint32_t count) { return std::int32_t(random() % count); };
  std::vector<std::vector<test::Row>> rows(std::size_t(states) - 1);
  for (auto& actions : rows) {
    actions.resize(std::size_t(1 + below(4)));
    for (test::Row& row : actions) {
      double rest = 1;
      for (int n = below(3); n > 0; --n) {
        const double rare = std::pow(10.0, -1 - below(6));
        row.to.emplace_back(below(std::uint32_t(states)), rare);
        rest -= rare;
      }
      row.to.emplace_back(below(std::uint32_t(states)), rest);
      if (below(2) == 0) continue;
      row.reward = (1 + below(9)) * std::pow(10.0, below(7) - 3) * (below(2) == 0 ? 1 : -1);
    }
  }
  return test::rows_process<double>(states, 4, rows);
}

// If the fused method gives up, other methods continue, also for discounts near 1.
TEST(MethodChoice, SolvesMoreThanTheFusedMethod) {
  SilentProgress progress;
  std::mt19937 random(31);
  const int trials = test::is_night() ? 100 : 20;
  int solved_by_fused = 0;
  for (const double discount : {0.99, 0.9999, 0.999999, 0.99999999}) {
    for (int trial = 0; trial < trials; ++trial) {
      SCOPED_TRACE(testing::Message() << "discount " << discount << ", trial " << trial);
      const auto states = std::int32_t(31 + random() % 4);
      auto process = trial % 2 == 0 ? seldom_left(random, states)
                                    : test::random_small_process<double>(
                                          random, {.states = states, .actions = 3});
      process.discount = discount;
      SolveOptions options;
      options.max_sweeps = 20000;
      const auto fused = solve_process(process, options, progress);
      options.method = Method::automatic;
      const auto automatic = solve_process(process, options, progress);
      EXPECT_TRUE(is_answer(automatic.outcome));
      if (!is_answer(fused.outcome)) continue;
      ++solved_by_fused;
      const double max_difference = fused.bounds.error() + automatic.bounds.error();
      for (std::size_t s = 0; s < fused.value.size(); ++s) {
        ASSERT_NEAR(automatic.value[s], fused.value[s], max_difference) << s;
      }
    }
  }
  EXPECT_GT(solved_by_fused, trials);
}

TEST(HostLayout, DependsOnTheSimilarityOfRows) {
  EXPECT_EQ(host_layout(make_gridworld<double>(wet_floor_world(128, 4), 1)), FusedLayout::packed);
  EXPECT_EQ(host_layout(rewired_world(slip_world(128, 128, 0.1), 0.1, 0.9)), FusedLayout::packed);
  EXPECT_EQ(host_layout(rewired_world(slip_world(128, 128, 0.1), 0.5, 0.9)), FusedLayout::packed);
  EXPECT_EQ(host_layout(sample("queues", 0.9)), FusedLayout::packed);
  EXPECT_EQ(host_layout(sample("random", 0.9)), FusedLayout::rows);
  EXPECT_EQ(host_layout(make_sample_world<double>({"inventory", {}, 0.2})), FusedLayout::rows);
}

TEST(MethodChoice, FollowsTheOptions) {
  auto process = sample("random", 0.9);
  EXPECT_EQ(chosen_method(process, {.backend = BackendChoice::cuda}), Method::fused);
  EXPECT_EQ(chosen_method(process, {.horizon = 5}), Method::backward);
  process.discount = 1;
  EXPECT_EQ(chosen_method(process), Method::fused);
}

TEST(MethodChoice, AcceptsAnyProcess) {
  SilentProgress progress;
  SolveOptions options;
  options.method = Method::automatic;
  for (const test::RandomProcess& settings :
       {test::RandomProcess{.states = 1}, test::RandomProcess{.states = 33},
        test::RandomProcess{.states = 40, .terminal_share = 1},
        test::RandomProcess{.states = 65, .actions = 1, .successors = 1}}) {
    const auto process = test::make_process<double>(settings);
    const auto solution = solve_process(process, options, progress);
    EXPECT_TRUE(solution.converged);
    const auto optimum = test::reference_values(process);
    for (std::size_t s = 0; s < optimum.size(); ++s) {
      EXPECT_NEAR(solution.value[s], optimum[s], 1e-4);
    }
  }
}

TEST(ModelSample, DistinguishesKindsOfModels) {
  const ModelSample wet = sample_model(make_gridworld<double>(wet_floor_world(128, 4), 1));
  EXPECT_TRUE(wet.repeats());
  EXPECT_NEAR(wet.row_entries, 4, 0.1);
  const ModelSample random = sample_model(sample("random", 0.9));
  EXPECT_FALSE(random.has_structure());
  EXPECT_NEAR(random.row_entries, 8, 0.1);
  EXPECT_TRUE(sample_model(make_sample_world<double>({"inventory", {}, 0.2})).is_dense());
}

}  // namespace
}  // namespace tidewise::mdp
