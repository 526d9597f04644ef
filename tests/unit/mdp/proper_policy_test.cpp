#include "mdp/graph/proper_policy.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

#include "mdp/process/row_writer.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Rows = std::vector<std::vector<Transition>>;

DecisionProcess<double> process_of_rows(std::int32_t states, std::int32_t actions, Rows rows) {
  RowWriter<double> writer(states, actions);
  for (auto& row : rows) EXPECT_EQ(writer.add_row(row), "");
  return writer.finish();
}

std::vector<std::int32_t> improper(std::int32_t states, std::int32_t actions, Rows rows) {
  return find_proper_policies(process_of_rows(states, actions, std::move(rows))).improper;
}

TEST(ProperPolicies, MatchAHandCalculation) {
  EXPECT_THAT(find_proper_policies(test::four_cell_world<float>()).improper, IsEmpty());
  // No end exists.
  EXPECT_THAT(find_proper_policies(test::three_state_process<double>()).improper,
              ElementsAre(0, 1, 2));
  // A chain with a leak of any size surely ends.
  EXPECT_THAT(improper(2, 1, {{{0, .999, -1}, {1, .001, 0}}}), IsEmpty());
}

TEST(ProperPolicies, TreatStayingWithoutRewardAsAnEnd) {
  EXPECT_THAT(improper(2, 1, {{{1, 1, 3}}, {{1, 1, 0}}}), IsEmpty());
  EXPECT_THAT(improper(2, 1, {{{1, 1, 3}}, {{1, 1, 1}}}), ElementsAre(0, 1));
  // Two actions that stay, one of them at a cost.
  EXPECT_THAT(improper(1, 2, {{{0, 1, 0}}, {{0, 1, -1}}}), ElementsAre(0));
}

TEST(ProperPolicies, ExistIfOneActionOfEachStateLeadsOn) {
  // Action 0 returns to the start, action 1 leads on; the last state ends.
  EXPECT_THAT(improper(4, 2,
                       {{{0, 1, 0}},
                        {{1, 1, 0}},
                        {{0, 1, 0}},
                        {{2, 1, 0}},
                        {{0, 1, 0}},
                        {{3, .5, 0}, {0, .5, 0}}}),
              IsEmpty());
}

TEST(ProperPolicies, ExcludeAChanceOfNeverEnding) {
  // State 0 ends or enters the loop of 1 and 2; state 4 can avoid that risk.
  EXPECT_THAT(improper(5, 2,
                       {{{3, .9, 0}, {1, .1, 0}},
                        {},
                        {{2, 1, -1}},
                        {},
                        {{1, 1, -1}},
                        {},
                        {},
                        {},
                        {{0, 1, 0}},
                        {{4, .5, 0}, {3, .5, 0}}}),
              ElementsAre(0, 1, 2));
}

TEST(ProperPolicies, ExcludeStatesThatDependOnImproperOnes) {
  // An end component {1, 2} whose only exit leads to 3, which risks the trap 4; 5 is the end.
  EXPECT_THAT(improper(6, 2,
                       {{{1, 1, 0}},
                        {},
                        {{2, 1, 0}},
                        {},
                        {{1, 1, 0}},
                        {{3, 1, 0}},
                        {{5, .5, 0}, {4, .5, 0}},
                        {},
                        {{4, 1, -1}},
                        {}}),
              ElementsAre(0, 1, 2, 3, 4));
}

DecisionProcess<double> small_process(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto states = static_cast<std::int32_t>(2 + random() % 5);
  Rows rows;
  for (std::int32_t row = 0; row < 2 * states; ++row) {
    rows.emplace_back();
    if (random() % 4 == 0) continue;
    const auto count = 1 + random() % 2;
    for (std::uint64_t n = 0; n < count; ++n) {
      const auto to = static_cast<std::int32_t>(random() % std::uint64_t(states));
      rows.back().push_back({to, 1.0 / double(count), random() % 3 == 0 ? 0.0 : -1.0});
    }
  }
  return process_of_rows(states, 2, rows);
}

/// Calls `visit` for every policy: an allowed action for each state that has one, −1 for others.
template <class Visit>
void for_each_policy(const DecisionProcess<double>& process, const Visit& visit) {
  std::vector<std::int32_t> policy(std::size_t(process.state_count), -1);
  const auto choose = [&](const auto& self, std::int32_t state) -> void {
    if (state == process.state_count) return visit(policy);
    if (process.is_terminal(state)) return self(self, state + 1);
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      if (!process.is_allowed(process.row(state, a))) continue;
      policy[std::size_t(state)] = a;
      self(self, state + 1);
    }
  };
  choose(choose, 0);
}

/// Returns all states that a policy may reach from a state, including that state.
std::set<std::int32_t> reached_from(const DecisionProcess<double>& process,
                                    const std::vector<std::int32_t>& policy, std::int32_t from) {
  std::set<std::int32_t> reached{from};
  std::vector<std::int32_t> waiting{from};
  while (!waiting.empty()) {
    const std::int32_t state = waiting.back();
    waiting.pop_back();
    if (policy[std::size_t(state)] < 0) continue;
    const auto row = std::size_t(process.row(state, policy[std::size_t(state)]));
    for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
      const std::int32_t to = process.successor[std::size_t(n)];
      if (reached.insert(to).second) waiting.push_back(to);
    }
  }
  return reached;
}

bool only_stays_free(const DecisionProcess<double>& process, std::int32_t state) {
  for (std::int32_t a = 0; a < process.action_count; ++a) {
    const auto row = std::size_t(process.row(state, a));
    if (!process.is_allowed(std::int64_t(row))) continue;
    if (process.reward[row] != 0) return false;
    for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
      if (process.successor[std::size_t(n)] != state) return false;
    }
  }
  return true;
}

TEST(ProperPolicies, MatchAllPoliciesOfSmallProcesses) {
  std::size_t with_improper_states = 0;
  std::size_t all_improper = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const auto process = small_process(seed);
    std::set<std::int32_t> expected;
    for (std::int32_t s = 0; s < process.state_count; ++s) expected.insert(s);
    for_each_policy(process, [&](const std::vector<std::int32_t>& policy) {
      // A finite chain surely ends if every reachable state may reach an end.
      const auto may_end = [&](std::int32_t s) {
        for (const std::int32_t r : reached_from(process, policy, s)) {
          if (only_stays_free(process, r)) return true;
        }
        return false;
      };
      for (std::int32_t s = 0; s < process.state_count; ++s) {
        bool ends_surely = true;
        for (const std::int32_t r : reached_from(process, policy, s))
          ends_surely = ends_surely && may_end(r);
        if (ends_surely) expected.erase(s);
      }
    });
    ASSERT_EQ(find_proper_policies(process).improper,
              std::vector<std::int32_t>(expected.begin(), expected.end()))
        << "seed " << seed;
    with_improper_states += expected.empty() ? 0 : 1;
    all_improper += expected.size() == std::size_t(process.state_count) ? 1 : 0;
  }
  EXPECT_GT(with_improper_states, all_improper);  // the cases differ
  EXPECT_LT(with_improper_states, 2800u);
}

TEST(MayReach, MatchesAllPoliciesOfSmallProcesses) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const auto process = small_process(seed);
    const std::vector<std::int32_t> targets{0};
    std::vector<std::uint8_t> by_some(std::size_t(process.state_count), 0);
    std::vector<std::uint8_t> by_every(std::size_t(process.state_count), 1);
    for_each_policy(process, [&](const std::vector<std::int32_t>& policy) {
      for (std::int32_t s = 0; s < process.state_count; ++s) {
        const bool is_reached = reached_from(process, policy, s).count(0) > 0;
        if (is_reached) by_some[std::size_t(s)] = 1;
        if (!is_reached) by_every[std::size_t(s)] = 0;
      }
    });
    ASSERT_EQ(may_reach(process, targets, Quantifier::some_policy), by_some) << "seed " << seed;
    ASSERT_EQ(may_reach(process, targets, Quantifier::every_policy), by_every) << "seed " << seed;
  }
}

TEST(MayReach, IsFalseWithoutTargets) {
  const auto process = test::four_cell_world<float>();
  EXPECT_THAT(may_reach(process, {}, Quantifier::some_policy), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(may_reach(process, {3}, Quantifier::some_policy), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(may_reach(process, {3}, Quantifier::every_policy), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(may_reach(process, {3, 0}, Quantifier::every_policy), ElementsAre(1, 0, 0, 1));
}

}  // namespace
}  // namespace tidewise::mdp
