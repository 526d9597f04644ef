#include "mdp/average/loop_gains.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "mdp/solve/outcome.h"
#include "mdp/solve/solve_process.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using test::row;
using test::rows_process;
using testing::ElementsAre;
using testing::HasSubstr;

const Method any_methods[]{Method::automatic,     Method::fused,          Method::gauss_seidel,
                           Method::block_divided, Method::result_divided, Method::policy_iteration};

template <class Real>
ProcessSolution<Real> solution_by(const DecisionProcess<Real>& process, Method method,
                                  StoppingRule stop = StoppingRule::error) {
  SilentProgress progress;
  return solve_process(
      process, SolveOptions({.method = method, .stop = stop, .max_sweeps = 20'000}), progress);
}

/// Expects that every method stops before its first sweep and reports that `states` gain without
/// end.
void expect_endless_gain(const DecisionProcess<double>& process,
                         const std::vector<std::int32_t>& states) {
  for (const Method method : any_methods) {
    SCOPED_TRACE(name_of(method));
    const auto solution = solution_by(process, method);
    EXPECT_EQ(solution.outcome, Outcome::endless);
    EXPECT_FALSE(solution.converged);
    EXPECT_EQ(solution.endless, states);
    EXPECT_EQ(solution.sweeps, 0);
    EXPECT_THAT(describe_shortfall(solution, {}), HasSubstr("gained without end"));
  }
}

template <class Real>
void expect_values(const DecisionProcess<Real>& process, const std::vector<double>& exact) {
  for (const Method method : any_methods) {
    SCOPED_TRACE(name_of(method));
    const auto solution = solution_by(process, method);
    EXPECT_EQ(solution.outcome, Outcome::within_tolerance);
    ASSERT_EQ(solution.lower.size(), exact.size());
    for (std::size_t s = 0; s < exact.size(); ++s) {
      const double slack = 1e-12 * std::abs(exact[s]);  // `exact` is rounded
      EXPECT_LE(solution.lower[s], exact[s] + slack) << s;
      EXPECT_GE(solution.upper[s], exact[s] - slack) << s;
      EXPECT_NEAR(double(solution.value[s]), exact[s], 1e-4) << s;
    }
  }
}

TEST(LoopGains, FindsASmallGain) {
  // The loop gains 1e-6 per round, less than the tolerance; leaving gains 5.
  expect_endless_gain(rows_process<double>(2, 2, {{row({{0, 1}}, 1e-6), row({{1, 1}}, 5)}, {}}),
                      {0});
}

TEST(LoopGains, FindsARareGain) {
  // The loop gains 1 with a probability of 1e-9 or 1e-20 per step.
  for (const double rare : {1e-9, 1e-20}) {
    expect_endless_gain(
        rows_process<double>(
            3, 2, {{row({{0, 1 - rare}, {1, rare}}), row({{2, 1}}, 5)}, {row({{0, 1}}, 1)}, {}}),
        {0, 1});
  }
}

TEST(LoopGains, ProvesGainsNextToLosses) {
  // A ring with rewards 3, −1, −1, in which each step falls back with probability 1/4.
  const auto ring = [](double last) {
    return rows_process<double>(4, 2,
                                {{row({{1, .75}, {0, .25}}, 3), row({{3, 1}})},
                                 {row({{2, .75}, {1, .25}}, -1)},
                                 {row({{0, .75}, {2, .25}}, last)},
                                 {}});
  };
  expect_endless_gain(ring(-1.99), {0, 1, 2});
  // With −2 gains and losses cancel. With −2.01 leaving is best right after the reward of 3.
  expect_values(ring(-2), {0, -4, -8.0 / 3, 0});
  expect_values(ring(-2.01), {0, (-1 - 2.01) / .75, -2.01 / .75, 0});
}

TEST(LoopGains, BoundsLoopsWhoseGainsAndLossesCancel) {
  // 0 and 1 alternate with rewards 1 and −1; both can leave at no cost.
  const auto process = rows_process<double>(
      3, 2, {{row({{1, 1}}, 1), row({{2, 1}})}, {row({{0, 1}}, -1), row({{2, 1}})}, {}});
  expect_values(process, {1, 0, 0});
  expect_values(convert<float>(process), {1, 0, 0});
  // Only state 1 can leave, with a reward of 3.
  expect_values(
      rows_process<double>(3, 2, {{row({{1, 1}}, 1)}, {row({{0, 1}}, -1), row({{2, 1}}, 3)}, {}}),
      {4, 3, 0});
  // Both states move with equal probabilities, and exits are expensive.
  expect_values(rows_process<double>(3, 2,
                                     {{row({{0, .5}, {1, .5}}, 1), row({{2, 1}}, -7)},
                                      {row({{0, .5}, {1, .5}}, -1), row({{2, 1}}, -9)},
                                      {}}),
                {-7, -9, 0});
}

TEST(LoopGains, AllowsAFreeLoopNextToLoopsThatCancel) {
  // 0 ↔ 1 with rewards ±1, 1 → 2, and 2 → 2 at no cost or out for −5.
  const auto process = rows_process<double>(4, 2,
                                            {{row({{1, 1}}, 1)},
                                             {row({{0, 1}}, -1), row({{2, 1}})},
                                             {row({{2, 1}}), row({{3, 1}}, -5)},
                                             {}});
  expect_values(process, {1, 0, 0, 0});
  SilentProgress progress;
  const auto sure = solve_process(
      process, SolveOptions({.method = Method::fused, .endings = Endings::sure}), progress);
  EXPECT_EQ(sure.outcome, Outcome::within_tolerance);
  EXPECT_THAT(sure.value, ElementsAre(-4, -5, -5, 0));
}

TEST(LoopGains, ReportsLoopsWhoseGainRoundingHides) {
  // 0.1 + 0.2 − 0.3 is 2.8e-17 in double precision; exactly it is 0, so nothing is gained.
  const auto process = rows_process<double>(
      4, 2, {{row({{1, 1}}, .1), row({{3, 1}})}, {row({{2, 1}}, .2)}, {row({{0, 1}}, -.3)}, {}});
  for (const Method method : any_methods) {
    SCOPED_TRACE(name_of(method));
    const auto solution = solution_by(process, method);
    EXPECT_EQ(solution.outcome, Outcome::gave_up);
    EXPECT_FALSE(solution.converged);
    EXPECT_THAT(solution.undecided, ElementsAre(0, 1, 2));
    EXPECT_THAT(describe_shortfall(solution, {}), HasSubstr("near state 0 (and 2 more)"));
  }
}

TEST(LoopGains, DoesNotConvergeWithoutBounds) {
  // StoppingRule::change, which the literature uses, does not bound the error.
  const auto process =
      rows_process<double>(3, 2, {{row({{1, 1}}, .1), row({{2, 1}}, 5)}, {row({{0, 1}}, -.1)}, {}});
  const auto solution = solution_by(process, Method::fused, StoppingRule::change);
  EXPECT_EQ(solution.outcome, Outcome::within_tolerance);
  EXPECT_FALSE(std::isfinite(solution.bounds.error()));
  expect_values(process, {5, 4.9, 0});
}

}  // namespace
}  // namespace tidewise::mdp
