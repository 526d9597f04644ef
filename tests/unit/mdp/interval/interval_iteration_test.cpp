#include "mdp/interval/interval_iteration.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "base/error.h"
#include "mdp/process/direction.h"
#include "mdp/solve/solve_process.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using test::row;
using test::Row;
using test::rows_process;

const Method host_methods[]{Method::fused,          Method::value_iteration,
                            Method::gauss_seidel,   Method::block_divided,
                            Method::result_divided, Method::policy_iteration};

template <class Real>
ProcessSolution<Real> solve_by_intervals(const DecisionProcess<Real>& process,
                                         const SolverOptions& options = {.method = Method::fused}) {
  SilentProgress progress;
  return solve_process(process, SolveOptions(options), progress);
}

/// Expects bounds that contain the exact values and are as close as requested.
template <class Real>
void expect_within(const ProcessSolution<Real>& solution, const std::vector<double>& exact,
                   double tolerance = 1e-4) {
  EXPECT_TRUE(solution.converged);
  EXPECT_TRUE(solution.is_within_tolerance);
  ASSERT_EQ(solution.lower.size(), solution.value.size());
  for (std::size_t s = 0; s < exact.size(); ++s) {
    SCOPED_TRACE(s);
    const double slack = 1e-12 * std::abs(exact[s]);  // `exact` is rounded
    EXPECT_LE(solution.lower[s], exact[s] + slack);
    EXPECT_GE(solution.upper[s], exact[s] - slack);
    EXPECT_LE(solution.upper[s] - solution.lower[s],
              tolerance * std::min(1.0, std::abs(exact[s])) + slack);
    EXPECT_NEAR(double(solution.value[s]), exact[s], tolerance * (1 + std::abs(exact[s])));
    EXPECT_LE(double(solution.value[s]) + solution.bounds.lower, solution.lower[s]);
    EXPECT_GE(double(solution.value[s]) + solution.bounds.upper, solution.upper[s]);
  }
}

TEST(IntervalIteration, IgnoresTheInitialValueOfAFreeLoop) {
  // Every value of 1 or more is a fixed point; iteration begins with 10.
  auto process = rows_process<double>(2, 2, {{row({{0, 1}}), row({{1, 1}}, 1)}, {}});
  process.initial_value = {10, 0};
  for (const Method method : host_methods) {
    SCOPED_TRACE(name_of(method));
    const auto solution = solve_by_intervals(process, {.method = method});
    expect_within(solution, {1, 0});
    EXPECT_EQ(solution.action[0], 1);
    expect_within(solve_by_intervals(convert<float>(process), {.method = method}), {1, 0});
  }
}

TEST(IntervalIteration, MinimizesWithBothEndings) {
  // State 0 reaches the goal at a cost of 5, or stays in an endless free loop.
  auto process = rows_process<double>(2, 2, {{row({{0, 1}}), row({{1, 1}}, 5)}, {}});
  negate_rewards(process);
  for (const Method method : host_methods) {
    SCOPED_TRACE(name_of(method));
    const auto reaching = solve_by_intervals(process, {.method = method, .endings = Endings::sure});
    expect_within(reaching, {-5, 0});
    EXPECT_EQ(reaching.action[0], 1);
    const auto resting = solve_by_intervals(process, {.method = method, .endings = Endings::free});
    expect_within(resting, {0, 0});
    EXPECT_EQ(resting.action[0], 0);
  }
}

TEST(IntervalIteration, TreatsClosedLoopsAsEndsIfRestIsAllowed) {
  // 0 leads to 1 and 2, which alternate for ever.
  const auto process =
      rows_process<double>(3, 1, {{row({{1, 1}}, 3)}, {row({{2, 1}})}, {row({{1, 1}})}});
  expect_within(solve_by_intervals(process, {.method = Method::fused, .endings = Endings::free}),
                {3, 0, 0});
  EXPECT_THROW(solve_by_intervals(process, {.method = Method::fused, .endings = Endings::sure}),
               InputError);
}

/// Returns a chain of 2n + 1 states. Each step away from the middle succeeds with probability 1/2
/// and otherwise falls back to it. Both ends are equally probable; a first sweep changes only 2^−n.
/// Source: Haddad, Monmege, Theoretical Computer Science 735, 2018, figure 2.
template <class Real>
DecisionProcess<Real> haddad_monmege(std::int32_t n) {
  // The states are 0 … 2n. The ends are 0, with value 1, and 2n, with value 0.
  std::vector<std::vector<Row>> rows{{}};
  for (std::int32_t s = 1; s < 2 * n; ++s) {
    rows.push_back({s == n  ? row({{n - 1, .5}, {n + 1, .5}})
                    : s < n ? row({{s - 1, .5}, {n, .5}})
                            : row({{s + 1, .5}, {n, .5}})});
  }
  auto process = rows_process<Real>(2 * n + 1, 1, rows);
  process.initial_value.assign(std::size_t(2 * n) + 1, Real{0});
  process.initial_value[0] = 1;
  process.initial_state = n;
  return process;
}

TEST(IntervalIteration, DoesNotStopEarlyOnAChainThatFallsBack) {
  for (const std::int32_t n : {3, 20}) {
    const auto process = haddad_monmege<double>(n);
    for (const Method method : host_methods) {
      SCOPED_TRACE(name_of(method));
      const auto solution = solve_by_intervals(process, {.method = method});
      EXPECT_TRUE(solution.is_within_tolerance);
      EXPECT_NEAR(solution.value[std::size_t(n)], .5, 1e-4);
      EXPECT_LE(solution.lower[std::size_t(n)], .5);
      EXPECT_GE(solution.upper[std::size_t(n)], .5);
      EXPECT_LT(solution.bounds.error(), 1e-4);
    }
  }
}

TEST(IntervalIteration, MatchesGamblersRuin) {
  for (const std::int32_t states : {100, 301, 2001}) {
    std::vector<std::vector<Row>> rows{{}};
    std::vector<double> exact{0};
    for (std::int32_t s = 1; s + 1 < states; ++s) {
      rows.push_back({row({{s - 1, .5}, {s + 1, .5}})});
      exact.push_back(double(s) / (states - 1));
    }
    exact.push_back(1);
    auto process = rows_process<double>(states, 1, rows);
    process.initial_value.assign(std::size_t(states), 0);
    process.initial_value.back() = 1;
    expect_within(solve_by_intervals(process), exact);
    // The duration is s (N − s) rounds. For many states rounding prevents an error of 1e-4.
    if (states > 1000) continue;
    auto rounds = rows_process<double>(states, 1, rows);
    for (std::int32_t s = 1; s + 1 < states; ++s) {
      rounds.reward[std::size_t(s)] = 1;
      exact[std::size_t(s)] = double(s) * (states - 1 - s);
    }
    exact.back() = 0;
    expect_within(solve_by_intervals(rounds), exact);
  }
}

/// Returns a process whose states lead to four random states and, with probability `rare`, to the
/// end. A factorisation would fill up.
DecisionProcess<double> random_waits(std::int32_t states, double rare) {
  std::mt19937 random(5);
  std::vector<std::vector<Row>> rows;
  for (std::int32_t s = 0; s < states; ++s) {
    std::vector<std::pair<std::int32_t, double>> successors{{states, rare}};
    for (int n = 0; n < 4; ++n) {
      successors.emplace_back(std::int32_t(random() % std::uint32_t(states)), (1 - rare) / 4);
    }
    rows.push_back({row(successors, -1)});
  }
  rows.emplace_back();
  return rows_process<double>(states + 1, 1, rows);
}

TEST(IntervalIteration, SweepsDenseComponents) {
  constexpr std::int32_t states = 3000;
  const auto process = random_waits(states, 1.0 / 1024);
  std::vector<double> exact(states, -1024);
  exact.push_back(0);
  for (const Method method : {Method::fused, Method::gauss_seidel}) {
    expect_within(solve_by_intervals(process, {.method = method}), exact);
  }
  SolverOptions automatic;
  EXPECT_EQ(solve_by_intervals(process, automatic).direct_states, 0);
}

TEST(IntervalIteration, GivesUpAtTheSweepLimit) {
  const auto solution =
      solve_by_intervals(random_waits(3000, 1.0 / 65536),
                         {.method = Method::fused, .tolerance = .01, .max_sweeps = 20});
  EXPECT_FALSE(solution.converged);
  EXPECT_FALSE(solution.is_within_tolerance);
}

/// Returns a gambler's walk over states in an order given by `stride`. The stake is 1, or with
/// `any_stake` any number within the ends. The last state has the value 1.
DecisionProcess<double> gambler(std::int32_t states, std::int32_t stride, bool any_stake,
                                double win) {
  const std::int32_t last = states - 1;
  const auto state_of = [&](std::int32_t s) {
    return s % last == 0 ? s : 1 + std::int32_t(std::int64_t{s - 1} * stride % (last - 1));
  };
  std::vector<std::vector<Row>> rows(static_cast<std::size_t>(states));
  for (std::int32_t s = 1; s < last; ++s) {
    const std::int32_t max = any_stake ? std::min(s, last - s) : 1;
    for (std::int32_t stake = 1; stake <= max; ++stake) {
      rows[std::size_t(state_of(s))].push_back(
          row({{state_of(s - stake), 1 - win}, {state_of(s + stake), win}}));
    }
  }
  auto process = rows_process<double>(states, any_stake ? last / 2 : 1, rows);
  process.initial_value.assign(std::size_t(states), 0);
  process.initial_value.back() = 1;
  return process;
}

TEST(IntervalIteration, SolvesAWalkDirectlyInAnyOrderOfStates) {
  // Plain iteration would need millions of sweeps.
  constexpr std::int32_t states = 2001;
  const auto process = gambler(states, 1009, false, .5);
  std::vector<double> exact(states);
  for (std::int32_t s = 0; s < states; ++s) {
    const bool is_end = s % (states - 1) == 0;
    exact[std::size_t(is_end ? s : 1 + std::int64_t{s - 1} * 1009 % (states - 2))] =
        double(s) / (states - 1);
  }
  for (const Method method : {Method::automatic, Method::fused}) {
    const auto solution = solve_by_intervals(process, {.method = method, .max_sweeps = 1000});
    expect_within(solution, exact);
    EXPECT_LE(solution.interval_sweeps, 1);
  }
}

TEST(IntervalIteration, SolvesAGamblerOfAnyStakeDirectly) {
  // A factorisation of all rows would fill up, but that of a policy's rows does not. All stakes
  // have the same value in fair games; the smallest one needs the most steps.
  constexpr std::int32_t states = 501;
  for (const double win : {.5, .375}) {
    SCOPED_TRACE(win);
    const auto process = gambler(states, 1, true, win);
    const auto solution = solve_by_intervals(process);
    EXPECT_LE(solution.interval_sweeps, 1);
    EXPECT_TRUE(solution.is_within_tolerance);
    // Bold play (Dubins and Savage), up to 60 games: f(x) = p f(2x) or p + (1 − p) f(2x − 1).
    for (std::int32_t s = 1; s + 1 < states; ++s) {
      double bold = 0;
      double weight = 1;
      for (std::int32_t capital = s; capital % (states - 1) != 0 && weight > 1e-18;) {
        if (2 * capital < states - 1) {
          weight *= win;
          capital *= 2;
        } else {
          bold += weight * win;
          weight *= 1 - win;
          capital = 2 * capital - (states - 1);
        }
      }
      const double slack = 1e-14 * bold;
      EXPECT_LE(solution.lower[std::size_t(s)], bold + slack) << s;
      EXPECT_GE(solution.upper[std::size_t(s)], bold - slack) << s;
    }
  }
}

/// Returns a maze with walls. A step may slip to either side, and costs 1 or 2.
DecisionProcess<double> maze(std::int32_t side, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::int32_t cells = side * side;
  std::vector<std::uint8_t> is_open(std::size_t(cells), 0);
  for (auto& open : is_open) open = random() % 4 != 0;
  is_open.back() = 1;
  const auto next = [&](std::int32_t cell, int direction) {
    const std::int32_t x = cell % side + (direction == 1) - (direction == 3);
    const std::int32_t y = cell / side + (direction == 0) - (direction == 2);
    if (x < 0 || y < 0 || x >= side || y >= side) return cell;
    return is_open[std::size_t(y * side + x)] != 0 ? y * side + x : cell;
  };
  std::vector<std::uint8_t> reaches_goal(std::size_t(cells), 0);
  std::vector<std::int32_t> reaching_cells{cells - 1};
  reaches_goal.back() = 1;
  for (std::size_t n = 0; n < reaching_cells.size(); ++n) {
    for (int direction = 0; direction < 4; ++direction) {
      const std::int32_t neighbour = next(reaching_cells[n], direction);
      if (std::exchange(reaches_goal[std::size_t(neighbour)], std::uint8_t{1}) == 0)
        reaching_cells.push_back(neighbour);
    }
  }
  std::vector<std::vector<Row>> rows(static_cast<std::size_t>(cells));
  for (std::int32_t cell = 0; cell + 1 < cells; ++cell) {
    if (is_open[std::size_t(cell)] == 0 || reaches_goal[std::size_t(cell)] == 0) continue;
    const double cost = random() % 3 == 0 ? -2 : -1;
    for (int direction = 0; direction < 4; ++direction) {
      rows[std::size_t(cell)].push_back(row({{next(cell, direction), .75},
                                             {next(cell, (direction + 1) % 4), .125},
                                             {next(cell, (direction + 3) % 4), .125}},
                                            cost));
    }
  }
  return rows_process<double>(cells, 4, rows);
}

/// Returns the optimal values by sweeps in extended precision, up to its rounding.
std::vector<long double> extended_precision_values(const DecisionProcess<double>& process) {
  std::vector<long double> value(std::size_t(process.state_count), 0);
  for (long double change = 1; change > 1e-17L;) {
    change = 0;
    for (std::int32_t s = process.state_count; s-- > 0;) {
      if (process.is_terminal(s)) continue;
      long double best = -std::numeric_limits<long double>::infinity();
      for (std::int32_t a = 0; a < process.action_count; ++a) {
        const auto row_index = std::size_t(process.row(s, a));
        if (!process.is_allowed(std::int64_t(row_index))) continue;
        long double total = process.reward[row_index];
        for (auto n = process.row_begin[row_index]; n < process.row_begin[row_index + 1]; ++n) {
          total += static_cast<long double>(process.probability[std::size_t(n)]) *
                   value[std::size_t(process.successor[std::size_t(n)])];
        }
        best = std::max(best, total);
      }
      change = std::max(change, std::abs(best - value[std::size_t(s)]) / std::abs(best));
      value[std::size_t(s)] = best;
    }
  }
  return value;
}

TEST(IntervalIteration, BoundsShortestPathsWithoutSweeps) {
  // Bounds by sweeps from above and below would take several times as long as the method.
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    const auto process = maze(50, seed);
    const auto exact = extended_precision_values(process);
    for (const double tolerance : {1e-4, 1e-9}) {
      for (const Method method : {Method::automatic, Method::fused}) {
        const auto solution =
            solve_by_intervals(process, {.method = method, .tolerance = tolerance});
        EXPECT_TRUE(solution.is_within_tolerance);
        EXPECT_EQ(solution.interval_sweeps, 1);
        for (std::size_t s = 0; s < exact.size(); ++s) {
          const long double slack = 1e-15L * std::abs(exact[s]);
          ASSERT_LE(solution.lower[s], exact[s] + slack) << s;
          ASSERT_GE(solution.upper[s], exact[s] - slack) << s;
          ASSERT_LE(solution.upper[s] - solution.lower[s], tolerance) << s;
        }
      }
    }
  }
}

TEST(IntervalIteration, SolvesALongWait) {
  const auto process =
      rows_process<double>(2, 1, {{row({{0, 1 - 1.0 / 16384}, {1, 1.0 / 16384}}, 1)}, {}});
  for (const Method method : host_methods) {
    SCOPED_TRACE(name_of(method));
    expect_within(solve_by_intervals(process, {.method = method}), {16384, 0});
  }
  expect_within(solve_by_intervals(convert<float>(process)), {16384, 0});
}

TEST(IntervalIteration, SolvesSmallValuesToRelativePrecision) {
  // State 0 has the value 1e-12: 40 steps succeed with probability 1/2 and otherwise end at 0.
  std::vector<std::vector<Row>> rows;
  std::vector<double> exact;
  for (std::int32_t s = 0; s < 40; ++s) {
    rows.push_back({row({{s + 1, .5}, {41, .5}})});
    exact.push_back(std::ldexp(1, s - 40));
  }
  exact.insert(exact.end(), {1, 0});
  auto process = rows_process<double>(42, 1, rows);
  process.initial_value.assign(42, 0);
  process.initial_value[40] = 1;
  expect_within(solve_by_intervals(process), exact);
  // An explicit relative tolerance is valid for any discount.
  for (double& value : exact) value = 0;
  process.discount = .5;
  for (std::int32_t s = 0; s < 41; ++s) exact[std::size_t(s)] = std::ldexp(1, 2 * (s - 40));
  expect_within(solve_by_intervals(
                    process, {.method = Method::fused, .error_measure = ErrorMeasure::relative}),
                exact);
}

TEST(IntervalIteration, IgnoresPoliciesThatLoseForEver) {
  // A loop costs 1/32768 per round, leaving costs 1: the loop is near the best if the tolerance is
  // coarse.
  const auto process = rows_process<double>(
      3, 2, {{row({{1, 1}}, -1.0 / 65536), row({{2, 1}}, -1)}, {row({{0, 1}}, -1.0 / 65536)}, {}});
  expect_within(solve_by_intervals(process), {-1, -1 - 1.0 / 65536, 0});
}

TEST(IntervalIteration, RemovesLoopsWhoseGainsAndLossesCancel) {
  // 0 and 1 alternate with 1 and −1: their sums do not converge (loop_gains_test.cpp).
  const auto process =
      rows_process<double>(3, 2, {{row({{1, 1}}, 1), row({{2, 1}}, 5)}, {row({{0, 1}}, -1)}, {}});
  expect_within(solve_by_intervals(process), {5, 4, 0});
}

TEST(IntervalIteration, AllowsEquallyGoodRowsWithoutALoop) {
  // Some rows of the loop are as good as its best policy, but lead to rows that lose.
  const auto process = rows_process<double>(
      5, 2,
      {{row({{1, 1}}, 1.75), row({{4, 1}}, .5)},
       {row({{0, .5}, {3, .5}}), row({{4, 1}}, -1)},
       {row({{1, std::ldexp(1, -34)}, {3, 1 - std::ldexp(1, -34)}}), row({{4, 1}})},
       {row({{1, .125}, {4, .875}}, 1.25), row({{1, std::ldexp(1, -60)}, {3, 1}}, -.25)},
       {}});
  // State 0 leads to 1, which leads back or to 3, which ends: V1 = V0 / 2 + V3 / 2, V0 = 1.75 + V1,
  // V3 = 1.25 + V1 / 8.
  const double value_1 = 1.5 / (.5 - 1. / 16);
  const double value_3 = 1.25 + value_1 / 8;
  expect_within(
      solve_by_intervals(process, {.method = Method::fused, .endings = Endings::sure}),
      {1.75 + value_1, value_1, value_3 + std::ldexp(value_1 - value_3, -34), value_3, 0});
}

TEST(IntervalIteration, KeepsTheValueOfStoppingRuleChange) {
  // The value is the method's, and known bounds are reported.
  const auto process = haddad_monmege<double>(20);
  const auto solution =
      solve_by_intervals(process, {.method = Method::fused, .stop = StoppingRule::change});
  EXPECT_EQ(solution.value[20], 0);
  EXPECT_EQ(solution.interval_sweeps, 0);
  EXPECT_TRUE(solution.bounds.error() >= .5);
}

TEST(IntervalIteration, ReportsTheLimitOfRounding) {
  // For γ near 1 the tolerance is finer than the precision of the validation.
  for (const double rest : {1e-7, 1e-9}) {
    auto process = rows_process<double>(2, 1, {{row({{0, .5}, {1, .5}}, 1e6)}, {row({{0, 1}}, 3)}});
    process.discount = 1 - rest;
    const auto solution = solve_by_intervals(process);
    // V0 (1 − γ/2 − γ²/2) = 1e6 + γ/2 · 3.
    const long double g = process.discount;
    const long double exact = (1e6L + g / 2 * 3) / ((1 - g) * (1 + g / 2));
    const auto error = static_cast<double>(exact - static_cast<long double>(solution.value[0]));
    EXPECT_LE(solution.bounds.lower, error);
    EXPECT_GE(solution.bounds.upper, error);
    EXPECT_GT(solution.bounds.error(), 1e-4);
  }
}

}  // namespace
}  // namespace tidewise::mdp
