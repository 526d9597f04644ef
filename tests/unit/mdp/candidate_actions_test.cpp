// The parts of inexact policy iteration: row sums, candidate actions, rows of a policy, Krylov
// steps.

#include "mdp/policy/candidate_actions.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "mdp/backup/row_sum.h"
#include "mdp/policy/krylov_evaluation.h"
#include "mdp/policy/policy_evaluation.h"
#include "support/mdp/policy_value.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;

TEST(RowSum, IsTheSameForConsecutiveAndSpreadSuccessors) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const std::int32_t count : {1, 7, 8, 9, 16, 61}) {
    std::vector<std::int32_t> consecutive_successor;
    std::vector<std::int32_t> spread_successor;
    std::vector<double> probability;
    std::vector<double> value(100, 0);
    std::vector<double> spread_value(200, 0);
    double expected = 0;
    for (std::int32_t n = 0; n < count; ++n) {
      consecutive_successor.push_back(n + 3);
      spread_successor.push_back(2 * n + 5);
      probability.push_back(unit(random));
      value[std::size_t(n + 3)] = unit(random);
      spread_value[std::size_t(2 * n + 5)] = value[std::size_t(n + 3)];
      expected += probability.back() * value[std::size_t(n + 3)];
    }
    const double sum =
        row_sum(consecutive_successor.data(), probability.data(), count, value.data());
    EXPECT_EQ(sum, row_sum(spread_successor.data(), probability.data(), count, spread_value.data()))
        << count;
    EXPECT_NEAR(sum, expected, 1e-14 * count);
  }
}

TEST(CandidateActions, ListsActionsWithASmallShortfall) {
  // V = 0, so values are the rewards: .5 and 0 in state 0, 2 and 0 in state 1, 0 and 3 in state 2.
  const auto process = test::three_state_process<double>();
  CandidateActions<double> candidates(view_of(process), 1);
  const std::vector<double> value{0, 0, 0};
  std::vector<double> next(3);
  std::vector<std::int32_t> action(3);
  const ValueChange change = candidates.improve(value.data(), next.data(), action);
  EXPECT_THAT(next, ElementsAre(.5, 2, 3));
  EXPECT_THAT(action, ElementsAre(0, 0, 1));
  EXPECT_EQ(change.min, .5);
  EXPECT_EQ(change.max, 3);
  const ActionList list = candidates.within(0.7);
  EXPECT_THAT(list.state, ElementsAre(0));
  EXPECT_THAT(list.begin, ElementsAre(0, 2));
  EXPECT_THAT(list.action, ElementsAre(0, 1));
  EXPECT_TRUE(CandidateActions<double>::is_too_long(candidates.within(10)));
  EXPECT_TRUE(candidates.within(0.1, list).state.empty());
}

TEST(CandidateActions, ListHoldsTheBestActionAfterSmallValueChanges) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto process = test::make_process<double>({.seed = seed, .actions = 12});
    const auto view = view_of(process);
    CandidateActions<double> candidates(view, 1);
    CandidateActions<double> all_actions(view, 1);
    PolicyRows<double> rows(view, 1);
    std::vector<double> value(100);
    std::vector<double> next(100);
    std::vector<double> expected(100);
    std::vector<std::int32_t> action(100);
    std::vector<std::int32_t> best(100);
    for (double& v : value) v = unit(random);
    candidates.improve(value.data(), next.data(), action);
    rows.take(action, value.data());
    const double max_shortfall = 0.2;
    const ActionList list = candidates.within(max_shortfall);
    ASSERT_FALSE(CandidateActions<double>::is_too_long(list));
    // Changes each non-terminal value by slightly less than half of max_shortfall / discount, up
    // or down.
    for (std::size_t s = 0; s < 100; ++s) {
      if (action[s] < 0) continue;
      value[s] += (unit(random) < 0.5 ? 0.5 : -0.5) * max_shortfall / process.discount * 0.999;
    }
    rows.sweep(value.data(), next.data());
    candidates.improve_listed(list, value.data(), next.data(), action);
    all_actions.improve(value.data(), expected.data(), best);
    EXPECT_EQ(next, expected) << seed;
    EXPECT_EQ(action, best) << seed;
  }
}

TEST(PolicyRows, FollowThePolicy) {
  const auto process = test::three_state_process<double>();
  PolicyRows<double> rows(view_of(process), 1);
  std::vector<double> value{1, 2, 3};
  std::vector<double> next(3);
  EXPECT_EQ(rows.take({0, 0, 0}, value.data()), 3);
  const ValueChange change = rows.sweep(value.data(), next.data());
  EXPECT_THAT(next, ElementsAre(testing::DoubleEq(.5 + .9 * 1.5), testing::DoubleEq(2 + .9 * 3),
                                testing::DoubleEq(.9 * 3)));
  EXPECT_DOUBLE_EQ(change.min, -.3);
  EXPECT_DOUBLE_EQ(change.max, 2.7);
  EXPECT_EQ(rows.take({0, 0, 1}, value.data()), 1);
  rows.sweep(value.data(), next.data());
  EXPECT_DOUBLE_EQ(next[2], 3 + .9 * 2);
  rows.multiply(value.data(), next.data());
  EXPECT_DOUBLE_EQ(next[2], 3 - .9 * 2);
}

TEST(KrylovEvaluation, FindsTheValueOfAPolicy) {
  for (const double discount : {0.5, 0.99, 0.9999}) {
    const auto process =
        test::make_process<double>({.seed = 9, .states = 400, .discount = discount, .local = true});
    std::vector<std::int32_t> action(400, -1);
    for (std::int32_t s = 0; s < 400; ++s) {
      for (std::int32_t a = 0; a < process.action_count && action[std::size_t(s)] < 0; ++a) {
        if (process.is_allowed(process.row(s, a))) action[std::size_t(s)] = a;
      }
    }
    std::vector<double> value(400, 0);
    std::vector<double> next(400);
    PolicyRows<double> rows(view_of(process), 1);
    rows.take(action, value.data());
    rows.sweep(value.data(), next.data());
    KrylovEvaluation<double> krylov(400, ChangeMeasure::from_zero, 1);
    const std::int64_t products = krylov.improve(rows, 1e-10, 2000, value.data(), next.data());
    EXPECT_LT(products, 400) << discount;
    const auto exact = test::value_of_policy(process, action);
    for (std::size_t s = 0; s < 400; ++s)
      EXPECT_NEAR(next[s], exact[s], 1e-6 + 2e-8 * std::abs(exact[s])) << discount;
  }
}

TEST(KrylovEvaluation, KeepsAnExactValue) {
  const auto process = test::three_state_process<double>();
  PolicyRows<double> rows(view_of(process), 1);
  std::vector<double> value{0, 0, 0};
  std::vector<double> next{0, 0, 0};
  rows.take({0, 0, 0}, value.data());
  KrylovEvaluation<double> krylov(3, ChangeMeasure::from_zero, 1);
  krylov.improve(rows, 1e-9, 100, value.data(), next.data());
  EXPECT_THAT(next, ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace tidewise::mdp
