#include "mdp/policy/policy_projection.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "base/error.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/policy/policy_product.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;

/// P_π and r_π, computed state by state as on a device.
template <class Real, class Index>
struct Projected {
  std::vector<Index> begin;
  std::vector<Index> column;
  std::vector<Real> probability;
  std::vector<Real> reward;

  Projected(const DecisionProcess<Real>& process, const std::vector<std::int32_t>& action,
            const std::vector<Real>& value)
      : begin(action.size() + 1, 0), reward(action.size()) {
    const CountPolicyRow<Real, Index> count{view_of(process), action, begin};
    for (std::size_t s = 0; s < action.size(); ++s) count(s);
    std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), Index{0});
    column.resize(static_cast<std::size_t>(begin.back()));
    probability.resize(column.size());
    const CopyPolicyRow<Real, Index> copy{view_of(process), action,      value, begin,
                                          column,           probability, reward};
    for (std::size_t s = 0; s < action.size(); ++s) copy(s);
  }
};

TEST(PolicyProjection, MatchesAHandCalculation) {
  const auto process = test::three_state_process<double>();
  const Projected<double, std::int32_t> projected(process, {0, 1, -1}, {7, 8, 9});
  EXPECT_THAT(projected.begin, ElementsAre(0, 2, 4, 4));
  EXPECT_THAT(projected.column, ElementsAre(0, 1, 0, 2));
  EXPECT_THAT(projected.probability, ElementsAre(.5, .5, .3, .7));
  EXPECT_THAT(projected.reward, ElementsAre(.5, 0, 9));
}

template <class Real, class Index>
void expect_equal_to_sweep(std::uint64_t seed) {
  const auto process = test::make_process<Real>({.seed = seed, .states = 400, .actions = 6});
  std::mt19937_64 random(seed);
  std::vector<std::int32_t> action(400, -1);
  std::vector<Real> value(400);
  for (std::int32_t s = 0; s < 400; ++s) {
    value[std::size_t(s)] = static_cast<Real>(static_cast<double>(random() % 1000) / 10 - 50);
    if (process.is_terminal(s)) continue;
    std::int32_t a = 0;
    do a = static_cast<std::int32_t>(random() % 6);
    while (!process.is_allowed(process.row(s, a)));
    action[std::size_t(s)] = a;
  }
  const Projected<Real, Index> projected(process, action, value);
  std::vector<Real> swept(400);
  const EvaluateState<Real> evaluate{view_of(process), action, value, swept};
  std::vector<Real> next(400);
  const AddPolicyReward<Real> add{projected.reward, value, next};
  const LongestRow<Real> longest{view_of(process)};
  std::int64_t capacity = 0;
  for (std::size_t s = 0; s < 400; ++s) {
    evaluate(s);
    double product = 0;  // as cuSPARSE computes
    for (auto n = std::size_t(projected.begin[s]); n < std::size_t(projected.begin[s + 1]); ++n) {
      product += double(projected.probability[n]) * double(value[std::size_t(projected.column[n])]);
    }
    next[s] = static_cast<Real>(process.discount * product);
    add(s);
    EXPECT_NEAR(next[s], swept[s], 1e-4);
    capacity += longest(s);
    if (process.is_terminal(std::int32_t(s))) {
      EXPECT_EQ(next[s], value[s]);
    }
  }
  EXPECT_LE(projected.column.size(), capacity);
  EXPECT_LE(capacity, process.entry_count());
}

TEST(PolicyProjection, MultipliesAsTheSweepInPlace) {
  expect_equal_to_sweep<float, std::int32_t>(1);
  expect_equal_to_sweep<double, std::int32_t>(2);
  expect_equal_to_sweep<float, std::int64_t>(3);
  expect_equal_to_sweep<double, std::int64_t>(4);
}

TEST(PolicyProduct, IsRefusedWithoutCusparse) {
  if (has_policy_product()) {
    EXPECT_NO_THROW(require_policy_product());
  } else {
    EXPECT_THROW(require_policy_product(), InputError);
  }
}

TEST(BetterOf, DoesNotDependOnTheOrder) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<BestAction<float>> groups;
    BestAction<float> expected{-7, -1};
    for (std::int32_t a = 0; a < 40; ++a) {
      BestAction<float> group{-7, -1};
      if (random() % 3 != 0) {
        const auto value = static_cast<float>(random() % 5) - 2;  // many ties
        take_better(group, value, a);
        take_better(expected, value, a);
      }
      groups.push_back(group);
    }
    std::shuffle(groups.begin(), groups.end(), random);
    while (groups.size() > 1) {  // in pairs, as lanes do
      const std::size_t half = (groups.size() + 1) / 2;
      for (std::size_t n = half; n < groups.size(); ++n) {
        groups[n - half] = better_of(groups[n - half], groups[n]);
      }
      groups.resize(half);
    }
    EXPECT_EQ(groups[0].action, expected.action);
    EXPECT_EQ(groups[0].value, expected.value);
  }
}

}  // namespace
}  // namespace tidewise::mdp
