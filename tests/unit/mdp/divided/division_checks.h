#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/memory/device.h"
#include "block_worlds.h"
#include "mdp/backup/bellman.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp::cases {

/// Returns named processes for block-divided and result-divided iteration.
template <class Real>
std::vector<std::pair<std::string, DecisionProcess<Real>>> division_cases() {
  std::vector<std::pair<std::string, DecisionProcess<Real>>> cases;
  cases.emplace_back("three states", test::three_state_process<Real>());
  cases.emplace_back("four cells", test::four_cell_world<Real>());
  cases.emplace_back("four cells, undiscounted", test::four_cell_world<Real>());
  cases.back().second.discount = 1;
  cases.emplace_back("one state", test::make_process<Real>({.states = 1}));
  cases.emplace_back("myopic", test::make_process<Real>({.seed = 2, .discount = 0}));
  cases.emplace_back("random", test::make_process<Real>({.seed = 3, .states = 700}));
  cases.emplace_back("local", test::make_process<Real>({.seed = 4, .states = 701, .local = true}));
  cases.emplace_back("patient",
                     test::make_process<Real>({.seed = 5, .discount = .99, .local = true}));
  cases.emplace_back("ends everywhere",
                     test::make_process<Real>({.seed = 6, .terminal_share = .5}));
  cases.emplace_back("slip", slip_world<Real>(23, 17, .95));
  cases.emplace_back("slip, undiscounted", slip_world<Real>(9, 7, 1));
  return cases;
}

/// Returns options for which every case's values are within 1e-4 of the optimum, except for
/// rounding. With γ = 1 the tolerance limits a sweep's change, and the error may be that times the
/// number of steps.
template <class Real>
SolveOptions division_options(const DecisionProcess<Real>& process) {
  SolveOptions options;
  options.tolerance = process.discount < 1 ? 5e-5 : 5e-6;
  options.max_sweeps = 20'000;
  return options;
}

/// Checks that values are near the optimum and that the policy is greedy.
template <class Real>
void expect_optimal(const DecisionProcess<Real>& process, const ProcessSolution<Real>& solution) {
  EXPECT_TRUE(solution.converged);
  const std::vector<double> optimum = test::reference_values(process);
  ASSERT_EQ(solution.value.size(), optimum.size());
  double scale = 1;
  for (const double v : optimum) scale = std::max(scale, std::abs(v));
  const double steps = process.discount < 1 ? 1 / (1 - process.discount) : 50;
  const double rounding = 2 * double(std::numeric_limits<Real>::epsilon()) * scale * steps;
  for (std::size_t s = 0; s < optimum.size(); ++s) {
    ASSERT_NEAR(double(solution.value[s]), optimum[s], 1e-4 + rounding) << "state " << s;
  }
  // A greedy policy for values within 1e-4 of the optimum is within 2e-4 of the best.
  EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 2.5e-4 + 2 * rounding));
}

template <class Real>
void expect_same_bits(const ProcessSolution<Real>& a, const ProcessSolution<Real>& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.action, b.action);
  EXPECT_EQ(a.sweeps, b.sweeps);
  EXPECT_EQ(a.converged, b.converged);
}

/// Expects that `solve` throws for numbers that are too large, and names the method.
template <class Real, class Solve>
void expect_overflow_error(const Solve& solve, const std::string& method) {
  auto process = test::four_cell_world<Real>();
  for (auto& reward : process.reward) reward = std::numeric_limits<Real>::max();
  EXPECT_THAT([&] { solve(process, SolveOptions{}); },
              testing::ThrowsMessage<RunError>(testing::AllOf(
                  testing::HasSubstr(method + ": after"), testing::HasSubstr("not finite"))));
}

/// Expects that `solve` ends if the tolerance is finer than the precision.
template <class Real, class Solve>
void expect_end_at_rounding(const Solve& solve) {
  const auto process = test::make_process<Real>({.seed = 13, .discount = .97});
  SolveOptions options;
  options.tolerance = 1e-30;
  const auto solution = solve(process, options);
  EXPECT_LT(solution.sweeps, 10'000);  // a fixed point, or as near as rounding allows
  EXPECT_TRUE(test::is_greedy(process, test::reference_values(process), solution.action, 1e-4));
}

/// Returns the number of Jacobi sweeps of value iteration until a sweep changes every value by less
/// than `tolerance`.
template <class Real>
std::int64_t plain_sweeps(const DecisionProcess<Real>& process, double tolerance) {
  std::vector<Real> value = process.initial_value;
  value.resize(static_cast<std::size_t>(process.state_count), 0);
  for (std::int64_t sweep = 1;; ++sweep) {
    double change = 0;
    std::vector<Real> next(value.size());
    for (std::int32_t s = 0; s < process.state_count; ++s) {
      const auto index = static_cast<std::size_t>(s);
      next[index] = best_action(view_of(process), value.data(), s).value;
      change = std::max(change, std::abs(double(next[index]) - double(value[index])));
    }
    value.swap(next);
    if (change < tolerance) return sweep;
  }
}

}  // namespace tidewise::mdp::cases
