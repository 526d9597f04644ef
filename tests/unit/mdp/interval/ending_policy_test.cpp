#include "mdp/graph/ending_policy.h"

#include <gmock/gmock.h>

#include "mdp/methods/functions.h"
#include "mdp/process/row_writer.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

DecisionProcess<double> undiscounted_process(std::int32_t states, std::int32_t actions,
                                             std::vector<std::vector<Transition>> rows) {
  RowWriter<double> writer(states, actions);
  for (auto& row : rows) EXPECT_EQ(writer.add_row(row), "");
  return writer.finish();
}

ProcessSolution<double> solve_by_sweeps(const DecisionProcess<double>& process) {
  SolveOptions options;
  options.tolerance = 1e-12;
  SilentProgress progress;
  return iterate_values(process, options, progress);
}

TEST(EndingPolicy, LeavesAStateWhereStayingTies) {
  // A chain whose end has a reward of 10; action 0 stays at no cost.
  const auto process =
      undiscounted_process(3, 2, {{{0, 1, 0}}, {{1, 1, 0}}, {{1, 1, 0}}, {{2, 1, 10}}});
  auto solution = solve_by_sweeps(process);
  EXPECT_THAT(solution.value, ElementsAre(10, 10, 0));
  EXPECT_THAT(solution.action, ElementsAre(0, 0, -1));  // this policy has the value 0
  EXPECT_EQ(make_policy_terminate(process, solution.value, 1e-9, solution.action), 2);
  EXPECT_THAT(solution.action, ElementsAre(1, 1, -1));
}

TEST(EndingPolicy, RestsWhereLeavingCosts) {
  const auto process = undiscounted_process(2, 2, {{{0, 1, 0}}, {{1, 1, -3}}});
  auto solution = solve_by_sweeps(process);
  EXPECT_EQ(make_policy_terminate(process, solution.value, 1e-9, solution.action), 0);
  EXPECT_THAT(solution.action, ElementsAre(0, -1));
}

TEST(EndingPolicy, KeepsAPolicyThatTerminates) {
  auto process = test::four_cell_world<double>();
  process.discount = 1;
  auto solution = solve_by_sweeps(process);
  EXPECT_EQ(make_policy_terminate(process, solution.value, 1e-9, solution.action), 0);
  EXPECT_THAT(solution.action, ElementsAre(0, 1, 0, -1));
}

/// Returns the value of a policy, computed by sweeps from 0.
std::vector<double> value_of(const DecisionProcess<double>& process,
                             const std::vector<std::int32_t>& action) {
  std::vector<double> value(action.size(), 0);
  for (int sweep = 0; sweep < 20'000; ++sweep) {
    for (std::size_t s = 0; s < value.size(); ++s) {
      if (action[s] < 0) continue;
      const auto row = std::size_t(process.row(std::int32_t(s), action[s]));
      double total = process.reward[row];
      for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
        total += process.probability[std::size_t(n)] *
                 value[std::size_t(process.successor[std::size_t(n)])];
      }
      value[s] = total;
    }
  }
  return value;
}

TEST(EndingPolicy, AttainsTheValue) {
  // Only transitions to the last state have rewards, so that values are probabilities of reaching
  // it. Many actions tie.
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    auto process = test::make_process<double>({.seed = seed,
                                               .states = 30,
                                               .actions = 3,
                                               .successors = 2,
                                               .discount = 1,
                                               .terminal_share = 0.1});
    for (std::size_t row = 0; row < process.reward.size(); ++row) {
      process.reward[row] = 0;
      for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
        if (process.successor[std::size_t(n)] == 29) {
          process.reward[row] += process.probability[std::size_t(n)];
        }
      }
    }
    auto solution = solve_by_sweeps(process);
    ASSERT_TRUE(solution.converged);
    changed += make_policy_terminate(process, solution.value, 1e-9, solution.action) > 0 ? 1 : 0;
    EXPECT_TRUE(test::is_greedy(process, solution.value, solution.action));
    EXPECT_THAT(value_of(process, solution.action), Pointwise(DoubleNear(1e-6), solution.value))
        << "seed " << seed;
  }
  EXPECT_GT(changed, 20);
}

}  // namespace
}  // namespace tidewise::mdp
