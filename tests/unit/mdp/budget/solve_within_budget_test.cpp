#include "mdp/budget/solve_within_budget.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/budget/reward_costs.h"
#include "mdp/file/target_states.h"
#include "mdp/graph/out_of_reach.h"
#include "mdp/process/direction.h"
#include "mdp/process/row_writer.h"
#include "support/mdp/public_model.h"

namespace tidewise::mdp {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct BudgetRow {
  std::vector<Transition> transitions;
};

/// The last state is the target.
DecisionProcess<double> budget_process(std::int32_t actions, std::vector<BudgetRow> rows) {
  const auto states = static_cast<std::int32_t>(rows.size()) / actions + 1;
  RowWriter<double> writer(states, actions, true);
  for (BudgetRow& row : rows) EXPECT_EQ(writer.add_row(row.transitions), "");
  DecisionProcess<double> process = writer.finish();
  process.initial_value.assign(std::size_t(states), 0);
  process.initial_value.back() = 1;
  return process;
}

BudgetSolution<double> found_within(DecisionProcess<double> process, double budget,
                                    Direction direction = Direction::greatest) {
  if (direction == Direction::least) negate_rewards(process);
  SilentProgress progress;
  auto found =
      solve_within_budget(process, budget, direction, SolveOptions({.tolerance = 1e-10}), progress);
  EXPECT_TRUE(found.solution.converged);
  if (direction == Direction::least) negate_rewards(found.solution);
  return found;
}

/// From 0 by action 0 for 1 on by a half, else back; by action 1 for 3 surely on.
DecisionProcess<double> cheap_or_sure() {
  return budget_process(2, {{{{0, .5, 1}, {1, .5, 1}}}, {{{1, 1, 3}}}});
}

TEST(WithinBudget, TakesWhatIsBestWithWhatIsLeft) {
  const auto value = [&](double budget) {
    return found_within(cheap_or_sure(), budget).solution.value[0];
  };
  EXPECT_EQ(value(0), 0);
  EXPECT_EQ(value(.99), 0);
  EXPECT_EQ(value(1), .5);
  EXPECT_EQ(value(2), .75);
  EXPECT_EQ(value(3), 1);
  const auto two = found_within(cheap_or_sure(), 2);
  EXPECT_EQ(two.levels, 3);
  EXPECT_EQ(two.method, Method::backward);
  EXPECT_THAT(two.solution.action, ElementsAre(0, -1));
  EXPECT_EQ(found_within(cheap_or_sure(), 3).solution.action[0], 1);
  EXPECT_EQ(found_within(cheap_or_sure(), 2, Direction::least).solution.value[0], 0);
  // Once the cheap way; what is left when that fails does not pay for the sure one.
  EXPECT_EQ(found_within(cheap_or_sure(), 3, Direction::least).solution.value[0], .5);
}

TEST(WithinBudget, GoesRoundForNothing) {
  // 0 goes round with itself and 1 for nothing; 1 may pay 2 for the target, by a half.
  const auto process = budget_process(
      2, {{{{0, .5, 0}, {1, .5, 0}}}, {}, {{{0, 1, 0}}}, {{{0, .5, 2}, {2, .5, 2}}}});
  for (const auto& [budget, chance] :
       std::vector<std::pair<double, double>>{{1, 0}, {2, .5}, {3, .5}, {4, .75}, {6, .875}}) {
    const auto found = found_within(process, budget);
    EXPECT_THAT(found.solution.value,
                ElementsAre(DoubleNear(chance, 1e-9), DoubleNear(chance, 1e-9), 1))
        << budget;
    EXPECT_NE(found.method, Method::backward);
    EXPECT_LE(found.solution.bounds.error(), 1e-9);
    EXPECT_THAT(found_within(process, budget, Direction::least).solution.value[0],
                DoubleNear(0, 1e-9));
  }
}

TEST(WithinBudget, CountsInTheRewardsOwnUnit) {
  // 0.3 by a half, 0.5 surely.
  const auto process = budget_process(2, {{{{0, .5, .3}, {1, .5, .3}}}, {{{1, 1, .5}}}});
  EXPECT_DOUBLE_EQ(found_within(process, 1).unit, .1);
  EXPECT_EQ(found_within(process, .2).solution.value[0], 0);
  EXPECT_EQ(found_within(process, .3).solution.value[0], .5);
  EXPECT_EQ(found_within(process, .49).solution.value[0], .5);
  EXPECT_EQ(found_within(process, .5).solution.value[0], 1);
  // A float's 0.1 is a little more, and 0.1 a thousand times is 100 all the same.
  const auto slow = convert<float>(budget_process(1, {{{{0, .5, .1}, {1, .5, .1}}}}));
  EXPECT_EQ(find_reward_costs(slow, 100, Direction::greatest).budget, 1000);
  // Rewards beyond the budget do not count for the unit.
  const auto rare = budget_process(2, {{{{0, .5, 2}, {1, .5, 2}}}, {{{1, 1, 1000.123456}}}});
  EXPECT_EQ(found_within(rare, 10).unit, 2);
  EXPECT_EQ(found_within(rare, 10).solution.value[0], 1 - std::pow(.5, 5));
}

TEST(WithinBudget, RefusesWhatItCannotCount) {
  const auto refused = [](const DecisionProcess<double>& process, double budget,
                          const std::string& why) {
    EXPECT_THAT([&] { (void)found_within(process, budget); },
                ThrowsMessage<InputError>(HasSubstr(why)));
  };
  refused(budget_process(1, {{{{0, .5, 1}, {1, .5, -1}}}}), 5,
          "state 0, action 0: brings -1 on the way to state 1");
  refused(budget_process(1, {{{{0, .5, 1}, {1, .5, std::sqrt(2.0)}}}}), 5, "common unit");
  refused(cheap_or_sure(), 1e9, "the budget of 1000000000 is 1e+09 times 1");
}

}  // namespace
}  // namespace tidewise::mdp
