#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "mdp/interval/interval_iteration.h"
#include "mdp/process/direction.h"
#include "mdp/solve/solve_process.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using test::row;
using test::rows_process;

/// A process with a state that is rarely left: the probability of leaving is within the rounding of
/// the probability of staying.
struct RareExit {
  std::string name;
  DecisionProcess<double> process;
  std::vector<double> exact;  // by exact arithmetic over the stored numbers
};

std::vector<RareExit> rare_exits() {
  std::vector<RareExit> cases;
  const auto add = [&](std::string name, const std::vector<std::vector<test::Row>>& rows,
                       std::vector<double> terminal_values, std::vector<double> exact) {
    const auto states = static_cast<std::int32_t>(exact.size());
    auto process = rows_process<double>(states, 2, rows);
    process.initial_value = std::move(terminal_values);
    cases.push_back({std::move(name), std::move(process), std::move(exact)});
  };
  add("stay 1, leave 1e-20 for 1", {{row({{0, 1}, {1, 1e-20}})}, {}}, {0, 1}, {1, 1});
  add("the same for -1", {{row({{0, 1}, {1, 1e-20}})}, {}}, {0, -1}, {-1, -1});
  add("the same at a cost of 1 a step", {{row({{0, 1}, {1, 1e-20}}, -1)}, {}}, {0, 0}, {-1e20, 0});
  const double min = std::ldexp(1, -53);
  add("leave 2^-53 at a cost of 1", {{row({{0, 1 - min}, {1, min}}, -1)}, {}}, {0, 0},
      {-std::ldexp(1, 53), 0});
  add("leave 2^-53 for 1", {{row({{0, 1 - min}, {1, min}})}, {}}, {0, 1}, {1, 1});
  add("leave 1e-20 for 1, or now for .5", {{row({{0, 1}, {2, 1e-20}}), row({{1, 1}})}, {}, {}},
      {0, .5, 1}, {1, .5, 1});
  add("two change places, leave 1e-20 for 1", {{row({{1, 1}})}, {row({{0, 1}, {2, 1e-20}})}, {}},
      {0, 0, 1}, {1, 1, 1});
  add("leave 1e-9 for 1", {{row({{0, 1 - 1e-9}, {1, 1e-9}})}, {}}, {0, 1}, {1, 1});
  return cases;
}

/// Expects valid bounds that are as close as requested or as doubles allow.
template <class Real>
void expect_bounds(const DecisionProcess<double>& in_double, const std::vector<double>& exact,
                   Method method) {
  SilentProgress progress;
  const auto process = convert<Real>(in_double);
  const auto solution =
      solve_process(process, SolveOptions({.method = method, .max_sweeps = 5000}), progress);
  // `exact` is for double precision numbers.
  const double rounding = std::is_same_v<Real, float> ? 1e-7 : 1e-13;
  EXPECT_TRUE(solution.outcome == Outcome::within_tolerance ||
              solution.outcome == Outcome::limited_by_rounding);
  ASSERT_EQ(solution.lower.size(), exact.size());
  for (std::size_t s = 0; s < exact.size(); ++s) {
    const double slack = rounding * std::abs(exact[s]);
    EXPECT_LE(solution.lower[s], exact[s] + slack) << s;
    EXPECT_GE(solution.upper[s], exact[s] - slack) << s;
    EXPECT_LE(solution.upper[s] - solution.lower[s], 1e-4 * std::abs(exact[s])) << s;
    EXPECT_LE(double(solution.value[s]) + solution.bounds.lower, exact[s] + slack) << s;
    EXPECT_GE(double(solution.value[s]) + solution.bounds.upper, exact[s] - slack) << s;
  }
}

TEST(RareExits, AreDistinguishedFromTerminalStates) {
  for (const RareExit& rare_exit : rare_exits()) {
    for (const Method method : {Method::automatic, Method::fused, Method::gauss_seidel,
                                Method::policy_iteration, Method::block_divided}) {
      SCOPED_TRACE(testing::Message() << rare_exit.name << ", " << name_of(method));
      expect_bounds<double>(rare_exit.process, rare_exit.exact, method);
      expect_bounds<float>(rare_exit.process, rare_exit.exact, method);
    }
  }
}

/// Returns loops of several states that are left once in 10^12 steps, to an end with value 1 or 0.
DecisionProcess<double> rarely_left_loops(std::mt19937& random, bool has_costs) {
  const auto below = [&](std::size_t count) { return std::size_t(random() % count); };
  const std::size_t states = 8 + below(6);
  std::vector<std::vector<test::Row>> rows(states);
  for (std::size_t s = 0; s + 2 < states; ++s) {
    for (int action = 0; action < 2; ++action) {
      std::map<std::int32_t, double> successors;
      successors[std::int32_t(below(states - 2))] = 1;
      successors[std::int32_t(below(states - 2))] += 1e-12;
      successors[std::int32_t(states - 1 - below(2))] += 1e-12;
      rows[s].push_back(
          {{successors.begin(), successors.end()}, has_costs ? -double(below(3)) : 0});
    }
  }
  auto process = rows_process<double>(std::int32_t(states), 2, rows);
  process.initial_value.assign(states, 0);
  process.initial_value.back() = 1;
  return process;
}

TEST(RareExits, AreSolvedTogether) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    auto process = rarely_left_loops(random, false);
    for (const double discount : {1., 0.999999}) {
      SCOPED_TRACE(testing::Message() << trial << ", discount " << discount);
      process.discount = discount;
      SilentProgress progress;
      const auto solution = solve_process(
          process, SolveOptions({.method = Method::fused, .endings = Endings::sure}), progress);
      ASSERT_TRUE(is_answer(solution.outcome));
      for (std::size_t s = 0; s < solution.lower.size(); ++s) {
        EXPECT_LE(solution.lower[s], solution.value[s]);
        EXPECT_GE(solution.upper[s], solution.value[s]);
        EXPECT_LE(solution.upper[s], 1);
        EXPECT_GE(solution.lower[s], 0);
      }
    }
  }
}

TEST(RareExits, WithCostsAreSolvedForBothEndings) {
  // Some values are near 10^12, where doubles have no digits for 1e-4.
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    auto process = rarely_left_loops(random, trial % 3 == 2);
    for (const double discount : {1., 0.999999}) {
      for (const Endings endings : {Endings::sure, Endings::free}) {
        SCOPED_TRACE(testing::Message()
                     << trial << ", discount " << discount << ", endings " << int(endings));
        process.discount = discount;
        SilentProgress progress;
        const auto solution = solve_process(
            process, SolveOptions({.method = Method::automatic, .endings = endings}), progress);
        ASSERT_TRUE(is_answer(solution.outcome));
        for (std::size_t s = 0; s < solution.lower.size(); ++s) {
          EXPECT_LE(solution.lower[s], solution.value[s]);
          EXPECT_GE(solution.upper[s], solution.value[s]);
          EXPECT_LE(solution.upper[s] - solution.lower[s],
                    1e-4 + 1e-13 * std::abs(solution.value[s]));
        }
      }
    }
  }
}

TEST(RareExits, SumRewardsOf1e12Steps) {
  // One state, or a ring of 30 that is left from each state: 2 · 10^12 with the stored numbers.
  const double staying = 1 - 1e-12;
  const double leaving = 1e-12;
  for (const std::int32_t ring : {1, 30}) {
    for (const double reward : {2., -2.}) {
      SCOPED_TRACE(testing::Message() << ring << " states, reward " << reward);
      std::vector<std::vector<test::Row>> rows;
      for (std::int32_t s = 0; s < ring; ++s) {
        rows.push_back({row({{(s + 1) % ring, staying}, {ring, leaving}}, reward)});
      }
      const auto process = rows_process<double>(ring + 1, 1, rows);
      SilentProgress progress;
      const auto solution =
          solve_process(process, SolveOptions({.method = Method::automatic}), progress);
      ASSERT_TRUE(is_answer(solution.outcome));
      ASSERT_EQ(solution.lower.size(), std::size_t(ring) + 1);
      const double exact = reward * ((staying + leaving) / leaving);
      for (std::int32_t s = 0; s < ring; ++s) {
        EXPECT_NEAR(solution.value[std::size_t(s)] / exact, 1, 1e-14) << s;
        EXPECT_LE(solution.lower[std::size_t(s)], exact + 1e-15 * std::abs(exact)) << s;
        EXPECT_GE(solution.upper[std::size_t(s)], exact - 1e-15 * std::abs(exact)) << s;
        EXPECT_LE(solution.upper[std::size_t(s)] - solution.lower[std::size_t(s)],
                  1e-14 * std::abs(exact));
      }
    }
  }
}

TEST(RareExits, AreSolvedForAnyDuration) {
  for (int digits = 1; digits <= 300; digits += digits < 20 ? 1 : 20) {
    const double rare = std::pow(10, -digits);
    // One state, or two that alternate if doubles can represent one step more.
    for (const bool is_single : {true, false}) {
      if (!is_single && digits > 14) continue;
      SCOPED_TRACE(testing::Message() << digits << (is_single ? ", alone" : ", two"));
      auto process =
          is_single ? rows_process<double>(2, 1, {{row({{0, 1 - rare}, {1, rare}}, -1)}, {}})
                    : rows_process<double>(
                          3, 1, {{row({{1, 1}}, -1)}, {row({{0, 1 - rare}, {2, rare}}, -1)}, {}});
      const auto solve_by = [&](Method method) {
        SilentProgress progress;
        return solve_process(process, SolveOptions({.method = method, .max_sweeps = 1000}),
                             progress);
      };
      for (const Method method : {Method::automatic, Method::fused}) {
        const auto solution = solve_by(method);
        ASSERT_FALSE(solution.lower.empty());
        const double exact = (is_single ? -1 : -2) / rare;
        EXPECT_LE(solution.lower[0], exact * (1 - 1e-14));
        EXPECT_GE(solution.upper[0], exact * (1 + 1e-14));
        EXPECT_LE(solution.upper[0] - solution.lower[0], 1e-4 * -exact);
        EXPECT_NEAR(solution.value[0] / exact, 1, 1e-12);
        EXPECT_EQ(solution.sweeps == 0, method == Method::automatic);
      }
      for (double& reward : process.reward) reward = 0;
      process.initial_value.assign(std::size_t(process.state_count), 0);
      process.initial_value.back() = 1;
      for (const Method method : {Method::automatic, Method::fused}) {
        const auto solution = solve_by(method);
        EXPECT_EQ(solution.outcome, Outcome::within_tolerance);
        EXPECT_NEAR(solution.value[0], 1, 1e-12);
        EXPECT_LE(solution.lower[0], 1);
        EXPECT_GE(solution.upper[0], 1);
        EXPECT_LE(solution.upper[0], 1 + 1e-12);
      }
    }
  }
}

TEST(RareExits, SolveChainsThatFallBack) {
  // Haddad, Monmege: 2n steps, each of which falls back to the middle with probability 1/2.
  for (const std::int32_t n : {40, 50, 100}) {
    SCOPED_TRACE(n);
    std::vector<std::vector<test::Row>> rows{{}};
    for (std::int32_t s = 1; s < 2 * n; ++s) {
      rows.push_back({s == n  ? row({{n - 1, .5}, {n + 1, .5}})
                      : s < n ? row({{s - 1, .5}, {n, .5}})
                              : row({{s + 1, .5}, {n, .5}})});
    }
    auto process = rows_process<double>(2 * n + 1, 1, rows);
    process.initial_value.assign(std::size_t(2 * n) + 1, 0);
    process.initial_value[0] = 1;
    SilentProgress progress;
    const auto solution = solve_process(
        process, SolveOptions({.method = Method::automatic, .max_sweeps = 1000}), progress);
    ASSERT_EQ(solution.outcome, Outcome::within_tolerance);
    EXPECT_EQ(solution.direct_states, 2 * n - 1);
    EXPECT_LE(solution.lower[std::size_t(n)], .5);
    EXPECT_GE(solution.upper[std::size_t(n)], .5);
    EXPECT_NEAR(solution.value[std::size_t(n)], .5, 1e-10);
  }
}

TEST(RareExits, ScaleDecimalsToSumOne) {
  // A gambler's walk stays, wins and loses with 0.333333 each, which stands for a third.
  constexpr std::int32_t last = 100;
  std::vector<std::vector<test::Row>> rows{{}};
  for (std::int32_t s = 1; s < last; ++s) {
    rows.push_back({row({{s - 1, .333333}, {s, .333333}, {s + 1, .333333}})});
  }
  auto process = rows_process<double>(last + 1, 1, rows);
  EXPECT_EQ(process.scaled.count, last - 1);
  EXPECT_NEAR(process.scaled.max, 1e-6, 1e-9);
  process.initial_value.assign(last + 1, 0);
  process.initial_value.back() = 1;
  SilentProgress progress;
  const auto solution = solve_process(process, {}, progress);
  EXPECT_EQ(solution.outcome, Outcome::within_tolerance);
  for (std::int32_t s = 0; s <= last; ++s) {
    EXPECT_LE(solution.lower[std::size_t(s)], s / 100.0 + 1e-14);
    EXPECT_GE(solution.upper[std::size_t(s)], s / 100.0 - 1e-14);
    EXPECT_LE(solution.value[std::size_t(s)], 1);
  }
}

TEST(RareExits, KeepProbabilitiesAtMostOne) {
  // 1 − 1e-9 is 1 in single precision: with 1e-9 the row sums to more than 1.
  for (const double rare : {1e-7, 1e-8, 1e-9, 1e-12}) {
    SCOPED_TRACE(rare);
    auto process = rows_process<double>(2, 1, {{row({{0, 1 - rare}, {1, rare}})}, {}});
    process.initial_value = {0, 1};
    SilentProgress progress;
    const auto in_single = solve_process(convert<float>(process), {}, progress);
    EXPECT_EQ(in_single.value[0], 1);
    EXPECT_LE(in_single.upper[0], 1 + 1e-14);
    const auto in_double = solve_process(process, {}, progress);
    EXPECT_NEAR(in_double.value[0], 1, 1e-14);
    EXPECT_LE(in_double.upper[0], 1 + 1e-14);
  }
}

}  // namespace
}  // namespace tidewise::mdp
