#include "mdp/graph/end_components.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using test::row;
using test::rows_process;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using States = std::set<std::int32_t>;

/// Returns the end components of the rows with a count of 1, as sets of states.
std::set<States> components_of(const DecisionProcess<double>& process,
                               const std::vector<std::uint8_t>& counts) {
  const EndComponents components = find_end_components(process, counts);
  std::map<std::int32_t, States> sets;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    const std::int32_t component = components.of_state[std::size_t(s)];
    EXPECT_LT(component, components.count);
    if (component >= 0) sets[component].insert(s);
  }
  EXPECT_EQ(static_cast<std::int32_t>(sets.size()), components.count);
  std::set<States> distinct;
  for (const auto& [component, states] : sets) distinct.insert(states);
  return distinct;
}

std::vector<std::uint8_t> all_rows(const DecisionProcess<double>& process) {
  return std::vector<std::uint8_t>(static_cast<std::size_t>(process.row_count()), 1);
}

TEST(EndComponents, MatchAHandCalculation) {
  // 0 and 1 alternate; 2 stays or leaves randomly; 3 leads only to 0; 4 is terminal.
  const auto process = rows_process<double>(5, 2,
                                            {{row({{1, 1}})},
                                             {row({{0, 1}}), row({{4, 1}})},
                                             {row({{2, 1}}), row({{2, .5}, {3, .5}})},
                                             {row({{0, 1}})},
                                             {}});
  EXPECT_THAT(components_of(process, all_rows(process)),
              UnorderedElementsAre(States{0, 1}, States{2}));
  // Without state 2's first row it cannot stay; without state 1's there is no loop.
  auto counts = all_rows(process);
  counts[4] = 0;
  counts[2] = 0;
  EXPECT_THAT(components_of(process, counts), IsEmpty());
}

TEST(EndComponents, HandleRepeatedDecomposition) {
  // A comb: state n leads to n + 1, or randomly back to 0; the last leads out randomly, so that
  // only state 7, which has another row, can stay.
  constexpr std::int32_t states = 200;
  std::vector<std::vector<test::Row>> rows;
  for (std::int32_t s = 0; s + 2 < states; ++s) rows.push_back({row({{0, .5}, {s + 1, .5}})});
  rows.push_back({row({{0, .5}, {states - 1, .5}})});
  rows.push_back({});
  rows[7].push_back(row({{7, 1}}));
  const auto process = rows_process<double>(states, 2, rows);
  EXPECT_THAT(components_of(process, all_rows(process)), UnorderedElementsAre(States{7}));
}

TEST(EndComponents, NeedNoStackForALongChain) {
  constexpr std::int32_t states = 1'000'000;
  std::vector<std::vector<test::Row>> rows;
  for (std::int32_t s = 0; s < states; ++s) rows.push_back({row({{(s + 1) % states, 1}})});
  const auto process = rows_process<float>(states, 1, rows);
  const EndComponents components =
      find_end_components(process, std::vector<std::uint8_t>(std::size_t(states), 1));
  EXPECT_EQ(components.count, 1);
}

/// Returns true if the states are an end component with the selected rows that stay in it.
bool is_component(const DecisionProcess<double>& process, const std::vector<std::uint8_t>& counts,
                  const States& states) {
  std::map<std::int32_t, States> successors;
  for (const std::int32_t s : states) {
    bool can_stay = false;
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      const std::int64_t row_index = process.row(s, a);
      if (!process.is_allowed(row_index) || counts[std::size_t(row_index)] == 0) continue;
      States row_successors;
      for (auto n = process.row_begin[std::size_t(row_index)];
           n < process.row_begin[std::size_t(row_index) + 1]; ++n) {
        row_successors.insert(process.successor[std::size_t(n)]);
      }
      if (!std::includes(states.begin(), states.end(), row_successors.begin(),
                         row_successors.end()))
        continue;
      can_stay = true;
      successors[s].insert(row_successors.begin(), row_successors.end());
    }
    if (!can_stay) return false;
  }
  for (const std::int32_t from : states) {
    States reached{from};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const std::int32_t s : States(reached))
        reached.insert(successors[s].begin(), successors[s].end());
    }
    if (reached != states) return false;
  }
  return true;
}

TEST(EndComponents, AreMaximal) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto process = test::random_small_process<double>(random, {.states = 5});
    std::vector<std::uint8_t> counts = all_rows(process);
    for (auto& count : counts) count = random() % 4 != 0;
    std::set<States> maximal;
    for (int mask = 1; mask < 1 << process.state_count; ++mask) {
      States states;
      for (std::int32_t s = 0; s < process.state_count; ++s) {
        if ((mask >> s & 1) != 0) states.insert(s);
      }
      if (!is_component(process, counts, states)) continue;
      std::erase_if(maximal, [&](const States& other) {
        return std::includes(states.begin(), states.end(), other.begin(), other.end());
      });
      const bool is_part = std::any_of(maximal.begin(), maximal.end(), [&](const States& other) {
        return std::includes(other.begin(), other.end(), states.begin(), states.end());
      });
      if (!is_part) maximal.insert(states);
    }
    ASSERT_EQ(components_of(process, counts), maximal) << trial;
  }
}

}  // namespace
}  // namespace tidewise::mdp
