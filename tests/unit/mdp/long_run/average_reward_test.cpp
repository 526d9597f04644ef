#include "mdp/long_run/average_reward.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "mdp/process/direction.h"
#include "mdp/process/row_writer.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using test::row;
using test::rows_process;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

template <class Real>
AverageSolution<Real> average_of(DecisionProcess<Real> process, double tolerance = 1e-10) {
  SilentProgress progress;
  return solve_average(process, SolveOptions({.tolerance = tolerance}), progress);
}

std::vector<double> averages_of(const DecisionProcess<double>& process) {
  const auto found = average_of(process);
  EXPECT_EQ(found.solution.outcome, Outcome::within_tolerance);
  EXPECT_LE(found.solution.bounds.error(), 1e-10);
  return found.solution.value;
}

constexpr double near = 1e-10;

TEST(AverageReward, OfALoopWithAPeriodIsItsMean) {
  EXPECT_THAT(averages_of(rows_process<double>(2, 1, {{row({{1, 1}}, 1)}, {row({{0, 1}}, 4)}})),
              ElementsAre(DoubleNear(2.5, near), DoubleNear(2.5, near)));
}

TEST(AverageReward, StaysWhereItIsBest) {
  // 0 stays for 1, or goes to 1, which brings 5 there and comes back for nothing.
  const auto process = rows_process<double>(
      2, 2, {{row({{0, 1}}, 1), row({{1, 1}}, 0)}, {row({{0, 1}}, 5), row({{0, 1}}, 0)}});
  const auto found = average_of(process);
  EXPECT_EQ(found.loops, 1);
  EXPECT_THAT(found.solution.value, ElementsAre(DoubleNear(2.5, near), DoubleNear(2.5, near)));
  EXPECT_THAT(found.solution.action, ElementsAre(1, 0));
}

TEST(AverageReward, ComesToTheBestLoopThatItCan) {
  // 0 draws between loops of 1 and 4, or takes that of 2; 3 leaves its own of 1 for that of 4.
  const auto process = rows_process<double>(5, 2,
                                            {{row({{1, .5}, {2, .5}}, 100), row({{4, 1}}, 100)},
                                             {row({{1, 1}}, 1)},
                                             {row({{2, 1}}, 4)},
                                             {row({{3, 1}}, 1), row({{2, 1}}, -50)},
                                             {row({{4, 1}}, 2)}});
  const auto found = average_of(process);
  EXPECT_EQ(found.loops, 4);
  EXPECT_THAT(found.solution.value,
              ElementsAre(DoubleNear(2.5, near), DoubleNear(1, near), DoubleNear(4, near),
                          DoubleNear(4, near), DoubleNear(2, near)));
  EXPECT_EQ(found.solution.action[0], 0);
  EXPECT_EQ(found.solution.action[3], 1);
}

TEST(AverageReward, IsNothingWhereThereIsAnEnd) {
  // 1 is an end: what is brought on the way counts for nothing, and so does its worth.
  auto process = rows_process<double>(3, 1, {{row({{1, 1}}, 7)}, {}, {row({{1, .5}, {2, .5}}, 3)}});
  process.initial_value = {0, 11, 0};
  process.discount = 0.5;
  EXPECT_THAT(averages_of(process), ElementsAre(0, 0, 0));
}

TEST(AverageReward, OfCostsIsTheLeast) {
  auto process = rows_process<double>(1, 2, {{row({{0, 1}}, 3), row({{0, 1}}, 2)}});
  negate_rewards(process);
  auto found = average_of(process).solution;
  negate_rewards(found);
  EXPECT_THAT(found.value, ElementsAre(DoubleNear(2, near)));
}

TEST(AverageReward, OfAQueueIsThatOfItsStationaryDistribution) {
  // One comes with 0.4, one is served with 0.5, up to 60; each that waits costs 1 a step. Births
  // and deaths: q(n) ∝ (0.2 / 0.3)^n, but for the ends of the line.
  constexpr int room = 60;
  constexpr double up = 0.2;
  constexpr double down = 0.3;
  std::vector<std::vector<test::Row>> rows;
  for (int n = 0; n <= room; ++n) {
    const double rises = n < room ? up : 0;
    const double falls = n > 0 ? down : 0;
    std::vector<std::pair<std::int32_t, double>> to{{n, 1 - rises - falls}};
    if (rises > 0) to.emplace_back(n + 1, rises);
    if (falls > 0) to.emplace_back(n - 1, falls);
    rows.push_back({row(to, -static_cast<double>(n))});
  }
  double weights = 0;
  double waiting = 0;
  for (int n = 0; n <= room; ++n) {
    weights += std::pow(up / down, n);
    waiting += n * std::pow(up / down, n);
  }
  const auto value = averages_of(rows_process<double>(room + 1, 1, rows));
  for (const double one : value) EXPECT_NEAR(one, -waiting / weights, near);
}

using Matrix = std::vector<std::vector<double>>;

/// Rows that sum to one, to the power of 2^60, of half of it and half of standing still: where a
/// chain is in the long run.
Matrix long_run(Matrix chain) {
  const std::size_t n = chain.size();
  for (std::size_t s = 0; s < n; ++s) {
    for (double& one : chain[s]) one *= 0.5;
    chain[s][s] += 0.5;
  }
  for (int doubling = 0; doubling < 60; ++doubling) {
    Matrix square(n, std::vector<double>(n, 0));
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        for (std::size_t c = 0; c < n; ++c) square[a][c] += chain[a][b] * chain[b][c];
      }
      double sum = 0;
      for (const double one : square[a]) sum += one;
      for (double& one : square[a]) one /= sum;
    }
    chain = std::move(square);
  }
  return chain;
}

TEST(AverageReward, IsThatOfTheBestOfAllPolicies) {
  std::mt19937 draw(7);
  const auto below = [&](int n) { return static_cast<int>(draw() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const int states = 2 + below(4);
    constexpr int actions = 2;
    std::vector<std::vector<test::Row>> rows;
    for (int r = 0; r < states * actions; ++r) {
      if (r % actions == 0) rows.emplace_back();
      if (r % actions == 1 && below(4) == 0) continue;
      const int first = below(states);
      const int second = below(states);
      const double share = first == second ? 1 : (1 + below(7)) / 8.0;
      std::vector<std::pair<std::int32_t, double>> to{{first, share}};
      if (share < 1) to.emplace_back(second, 1 - share);
      rows.back().push_back(row(to, below(9) - 4));
    }
    const auto process = rows_process<double>(states, actions, rows);
    std::vector<double> best(static_cast<std::size_t>(states), -1e9);
    for (int policy = 0; policy < 1 << states; ++policy) {
      Matrix chain(static_cast<std::size_t>(states),
                   std::vector<double>(static_cast<std::size_t>(states), 0));
      std::vector<double> reward;
      bool is_one = true;
      for (int s = 0; s < states; ++s) {
        const std::int64_t row = process.row(s, policy >> s & 1);
        is_one = is_one && process.is_allowed(row);
        if (!is_one) break;
        for (auto n = process.row_begin[std::size_t(row)];
             n < process.row_begin[std::size_t(row) + 1]; ++n) {
          chain[std::size_t(s)][std::size_t(process.successor[std::size_t(n)])] +=
              process.probability[std::size_t(n)];
        }
        reward.push_back(process.reward[std::size_t(row)]);
      }
      if (!is_one) continue;
      const Matrix where = long_run(chain);
      for (std::size_t s = 0; s < where.size(); ++s) {
        double average = 0;
        for (std::size_t t = 0; t < where.size(); ++t) average += where[s][t] * reward[t];
        best[s] = std::max(best[s], average);
      }
    }
    const auto found = average_of(process).solution;
    ASSERT_EQ(found.outcome, Outcome::within_tolerance);
    EXPECT_THAT(found.value, Pointwise(DoubleNear(1e-9), best));
    // The policy that is told has that average.
    Matrix chain(static_cast<std::size_t>(states),
                 std::vector<double>(static_cast<std::size_t>(states), 0));
    std::vector<double> told(static_cast<std::size_t>(states), 0);
    for (int s = 0; s < states; ++s) {
      const std::int64_t row = process.row(s, found.action[std::size_t(s)]);
      ASSERT_TRUE(process.is_allowed(row));
      for (auto n = process.row_begin[std::size_t(row)];
           n < process.row_begin[std::size_t(row) + 1]; ++n) {
        chain[std::size_t(s)][std::size_t(process.successor[std::size_t(n)])] +=
            process.probability[std::size_t(n)];
      }
    }
    const Matrix where = long_run(chain);
    for (std::size_t s = 0; s < where.size(); ++s) {
      for (std::size_t t = 0; t < where.size(); ++t) {
        const std::int64_t row = process.row(static_cast<int>(t), found.action[t]);
        told[s] += where[s][t] * process.reward[std::size_t(row)];
      }
    }
    EXPECT_THAT(told, Pointwise(DoubleNear(1e-9), best));
  }
}

TEST(AverageReward, GoesAnySureWayToTheBest) {
  // Nine places in a row, left or right as one likes, but by a half where one stands; a loop of 1
  // at one end, of 3 at the other, and a pit behind the second place that draws in from one action.
  std::vector<std::vector<test::Row>> rows{{row({{0, 1}}, 1)}};
  for (std::int32_t s = 1; s < 9; ++s) {
    rows.push_back({row({{s - 1, .5}, {s, .5}}, 9), row({{s + 1, .5}, {s, .5}}, -9)});
  }
  rows.push_back({row({{9, 1}}, 3)});
  rows[2].push_back(row({{9, .9}, {10, .1}}, 5));
  rows.push_back({});
  const auto found = average_of(rows_process<double>(11, 3, rows)).solution;
  EXPECT_EQ(found.value[0], 1);
  for (std::size_t s = 1; s < 10; ++s) EXPECT_NEAR(found.value[s], 3, near) << s;
  EXPECT_EQ(found.value[10], 0);
  for (std::size_t s = 1; s < 9; ++s) EXPECT_EQ(found.action[s], 1) << s;
}

TEST(AverageReward, IsThatOfTheEndWhereLoopsLose) {
  // What goes round loses; the end brings nothing.
  const auto found =
      average_of(rows_process<double>(2, 2, {{row({{0, 1}}, -1), row({{0, .9}, {1, .1}}, -5)}, {}}))
          .solution;
  EXPECT_THAT(found.value, ElementsAre(0, 0));
  EXPECT_EQ(found.action[0], 1);
}

TEST(AverageReward, OfALoopTooLargeForEliminationIsBoundedBySweeps) {
  // States drawn far and wide, so that no band is narrow: 2000 of them.
  constexpr int states = 2000;
  std::mt19937 draw(3);
  std::vector<std::vector<test::Row>> rows;
  for (int s = 0; s < states; ++s) {
    std::vector<std::pair<std::int32_t, double>> to{{(s + 1) % states, 0.25}};
    for (int n = 0; n < 3; ++n) to.emplace_back(static_cast<std::int32_t>(draw() % states), 0.25);
    rows.push_back({row(to, static_cast<double>(draw() % 10))});
  }
  const auto found = average_of(rows_process<double>(states, 1, rows), 1e-6).solution;
  EXPECT_EQ(found.outcome, Outcome::within_tolerance);
  for (const double one : found.value) EXPECT_NEAR(one, found.value[0], 2e-6);
  EXPECT_NEAR(found.value[0], 4.5, 0.3);
}

TEST(AverageReward, InSinglePrecisionBoundsHoldTheRounding) {
  const auto found =
      average_of(rows_process<float>(2, 1, {{row({{1, 1}}, 1)}, {row({{0, .5}, {1, .5}}, 0)}}),
                 1e-4)
          .solution;
  EXPECT_EQ(found.outcome, Outcome::within_tolerance);
  EXPECT_LE(std::abs(static_cast<double>(found.value[0]) - 1.0 / 3), found.bounds.error());
}

}  // namespace
}  // namespace tidewise::mdp
