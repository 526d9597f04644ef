#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "mdp/graph/endless_gain.h"
#include "mdp/graph/proper_policy.h"
#include "mdp/methods/functions.h"
#include "mdp/methods/table.h"
#include "mdp/process/row_writer.h"
#include "mdp/solve/solve_process.h"
#include "mdp/worlds/sample_worlds.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;

template <class Real>
struct NamedMethod {
  const char* name;
  SolveFunction<Real> solve;
};
template <class Real>
constexpr NamedMethod<Real> methods[] = {{"value-iteration", iterate_values<Real>},
                                         {"gauss-seidel", iterate_gauss_seidel<Real>}};

SolveOptions with_tolerance(double tolerance, std::int32_t threads = 2) {
  SolveOptions options;
  options.tolerance = tolerance;
  options.threads = threads;
  return options;
}

template <class Real>
ProcessSolution<Real> solve_and_validate(SolveFunction<Real> solve,
                                         const DecisionProcess<Real>& process,
                                         const SolveOptions& options) {
  SilentProgress progress;
  ProcessSolution<Real> solution = solve(process, options, progress);
  validate_solution(process, 2, solution);
  return solution;
}

template <class Real>
DecisionProcess<Real> discounted_process(std::int32_t states, std::int32_t actions, double discount,
                                         std::vector<std::vector<Transition>> rows) {
  RowWriter<Real> writer(states, actions);
  for (auto& row : rows) EXPECT_EQ(writer.add_row(row), "");
  auto process = writer.finish();
  process.discount = discount;
  return process;
}

template <class Real>
class Sweeps : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Sweeps, Precisions);

TYPED_TEST(Sweeps, MatchAHandCalculation) {
  const auto process = test::four_cell_world<TypeParam>();
  for (const auto& method : methods<TypeParam>) {
    SCOPED_TRACE(method.name);
    const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-5));
    EXPECT_TRUE(solution.converged);
    test::expect_four_cells_solved(solution, 1.1e-5);
    EXPECT_GE(solution.seconds, solution.sweep_seconds);
    EXPECT_LT(solution.sweeps, 10);
  }
}

TYPED_TEST(Sweeps, ReachTheToleranceOnRandomProcesses) {
  for (const double discount : {0.0, 0.3, 0.9, 0.99}) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const auto process = test::make_process<TypeParam>(
          {.seed = seed, .states = 150, .discount = discount, .local = seed % 2 == 0});
      const auto optimum = test::reference_values(process);
      for (const auto& method : methods<TypeParam>) {
        SCOPED_TRACE(std::string(method.name) + ", seed " + std::to_string(seed));
        const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-3));
        EXPECT_TRUE(solution.converged);
        for (std::size_t s = 0; s < optimum.size(); ++s) {
          const double error = optimum[s] - double(solution.value[s]);
          EXPECT_LE(std::abs(error), 1e-3 + solution.rounding);
          // The bounds of validate_solution() hold despite rounding.
          EXPECT_GE(error, solution.bounds.lower - 1e-9);
          EXPECT_LE(error, solution.bounds.upper + 1e-9);
        }
        EXPECT_LT(solution.rounding, 2e-2);
      }
      // A tolerance for which actions can be distinguished in double.
      if (sizeof(TypeParam) == sizeof(double)) {
        for (const auto& method : methods<TypeParam>) {
          const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-9));
          EXPECT_TRUE(test::is_greedy(process, optimum, solution.action)) << method.name;
        }
      }
    }
  }
}

/// Sweeps in place, with intermediate Jacobi sweeps for centring, converge as fast as Jacobi sweeps
/// if the remaining error is equal in all states.
TYPED_TEST(Sweeps, AreCentredInPlace) {
  for (const double discount : {0.99, 0.999}) {
    for (const char* kind : {"inventory", "random"}) {
      const auto process = make_sample_world<TypeParam>({kind, discount, 0.01});
      SCOPED_TRACE(std::string(kind) + ", discount " + std::to_string(discount));
      const double tolerance = sizeof(TypeParam) == sizeof(double) ? 1e-4 : 0.5;
      const auto jacobi =
          solve_and_validate(iterate_values<TypeParam>, process, with_tolerance(tolerance));
      const auto in_place =
          solve_and_validate(iterate_gauss_seidel<TypeParam>, process, with_tolerance(tolerance));
      EXPECT_TRUE(in_place.converged);
      EXPECT_LE(in_place.sweeps, jacobi.sweeps + 3);
      for (std::size_t s = 0; s < jacobi.value.size(); ++s) {
        EXPECT_NEAR(double(in_place.value[s]), double(jacobi.value[s]),
                    2 * tolerance + jacobi.rounding + in_place.rounding);
      }
    }
  }
}

/// A chain that costs 1 per step, which sweeps in place from its end solve in one pass. Its errors
/// differ between states, so that centring would not help.
TYPED_TEST(Sweeps, SolveAChainInOneSweepInPlace) {
  constexpr std::int32_t states = 2000;
  std::vector<std::vector<Transition>> rows{{}};
  for (std::int32_t s = 1; s < states; ++s) rows.push_back({{s - 1, 1, -1}});
  const auto process = discounted_process<TypeParam>(states, 1, 0.999, rows);
  const auto solution =
      solve_and_validate(iterate_gauss_seidel<TypeParam>, process, with_tolerance(0.1));
  EXPECT_TRUE(solution.converged);
  EXPECT_LE(solution.sweeps, 4);
  EXPECT_NEAR(double(solution.value[states - 1]), -(1 - std::pow(0.999, states - 1)) / 0.001, 0.2);
}

TYPED_TEST(Sweeps, ReachEndsWithoutDiscount) {
  int proper = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    auto process = test::make_process<TypeParam>(
        {.seed = seed, .states = 150, .discount = 1, .terminal_share = 0.2});
    // Every step costs, so that no loop gains.
    for (TypeParam& reward : process.reward) reward = -std::abs(reward) - TypeParam(0.1);
    if (!find_proper_policies(process).improper.empty()) continue;
    ++proper;
    const auto optimum = test::reference_values(process);
    for (const auto& method : methods<TypeParam>) {
      SCOPED_TRACE(std::string(method.name) + ", seed " + std::to_string(seed));
      const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-5));
      EXPECT_TRUE(solution.converged);
      EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 1e-4));
      for (std::size_t s = 0; s < optimum.size(); ++s) {
        EXPECT_NEAR(optimum[s], double(solution.value[s]), 1e-3);
      }
    }
  }
  EXPECT_GT(proper, 5);
}

TYPED_TEST(Sweeps, SolveOneStateOrOnlyTerminalStates) {
  for (const auto& method : methods<TypeParam>) {
    SCOPED_TRACE(method.name);
    // One state that stays with a reward of 1: 1/(1 − γ).
    auto single_state = discounted_process<TypeParam>(1, 1, 0.75, {{{0, 1, 1}}});
    auto solution = solve_and_validate(method.solve, single_state, with_tolerance(1e-5));
    EXPECT_NEAR(double(solution.value[0]), 4, 1e-5 + solution.rounding);
    EXPECT_THAT(solution.action, ElementsAre(0));
    // States without actions keep their values.
    auto terminal_only = discounted_process<TypeParam>(3, 2, 1, {});
    terminal_only.initial_value = {1, -2, 3};
    solution = solve_and_validate(method.solve, terminal_only, with_tolerance(1e-5));
    EXPECT_TRUE(solution.converged);
    EXPECT_EQ(solution.sweeps, 1);
    EXPECT_THAT(solution.value, ElementsAre(1, -2, 3));
    EXPECT_THAT(solution.action, ElementsAre(-1, -1, -1));
    EXPECT_EQ(solution.residual, 0);
    EXPECT_EQ(solution.bounds.error(), 0);
  }
}

TYPED_TEST(Sweeps, ReadTheValueOfTerminalStates) {
  auto process = discounted_process<TypeParam>(2, 2, 0.5, {{{0, 1, 1}}, {{1, 1, 0}}});
  process.initial_value = {100, 10};
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-5));
    EXPECT_NEAR(double(solution.value[0]), 5, 1e-4) << method.name;
    EXPECT_EQ(solution.value[1], 10) << method.name;
    EXPECT_THAT(solution.action, ElementsAre(1, -1));
  }
}

TYPED_TEST(Sweeps, SolveUnreachableStates) {
  // State 2 is never a successor; state 1 has only its second action.
  const auto process = discounted_process<TypeParam>(
      3, 2, 0.5, {{{1, 1, 1}}, {}, {}, {{0, 1, 2}}, {{0, .5, 0}, {1, .5, 4}}, {{2, 1, 1}}});
  const auto optimum = test::reference_values(process);
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-5));
    EXPECT_THAT(solution.action, ElementsAre(0, 1, 0)) << method.name;
    for (std::size_t s = 0; s < 3; ++s) EXPECT_NEAR(optimum[s], double(solution.value[s]), 2e-5);
  }
}

TYPED_TEST(Sweeps, ReportAGainingLoop) {
  // State 0 may end, or return with a reward of 1.
  const auto process = discounted_process<TypeParam>(2, 2, 1, {{{1, 1, 5}}, {{0, 1, 1}}});
  EXPECT_TRUE(find_proper_policies(process).improper.empty());
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-4));
    EXPECT_FALSE(solution.converged) << method.name;
    EXPECT_LE(solution.sweeps, 64) << method.name;
    EXPECT_EQ(solution.bounds.upper, std::numeric_limits<double>::infinity());
  }
}

/// Returns a chain in which a step costs 1, or leads back to the previous state with a reward of
/// `return_reward`.
template <class Real>
DecisionProcess<Real> chain_with_returns(std::int32_t states, double return_reward) {
  std::vector<std::vector<Transition>> rows;
  for (std::int32_t s = 0; s < states - 1; ++s) {
    rows.push_back({{s + 1, 1, -1}});
    rows.push_back({{std::max(s - 1, 0), .5, return_reward}, {s, .5, return_reward}});
  }
  return discounted_process<Real>(states, 2, 1, rows);
}

TYPED_TEST(Sweeps, ProveAGainingLoopOfManyStates) {
  const auto gaining = chain_with_returns<TypeParam>(50'000, 0.25);
  EXPECT_TRUE(find_proper_policies(gaining).improper.empty());
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, gaining, with_tolerance(1e-4));
    EXPECT_FALSE(solution.converged) << method.name;
    EXPECT_LE(solution.sweeps, 256) << method.name;
    const auto states = endless_gain(gaining, solution.value, 1e-4);
    ASSERT_FALSE(states.empty()) << method.name;
    EXPECT_EQ(states.front(), 0) << method.name;
  }
  // A loop without a gain is not reported.
  const auto without_gain = chain_with_returns<TypeParam>(500, 0);
  const auto solution =
      solve_and_validate(iterate_values<TypeParam>, without_gain, with_tolerance(1e-4));
  EXPECT_TRUE(solution.converged);
  EXPECT_THAT(endless_gain(without_gain, solution.value, 1e-4), testing::IsEmpty());
}

TEST(EndlessGain, NeedsAClosedSet) {
  // 0 and 1 alternate with a reward of 1 each; 2 has a reward but leads to 3, which ends.
  const auto process =
      discounted_process<double>(4, 1, 1, {{{1, 1, 1}}, {{0, .5, 1}, {1, .5, 1}}, {{3, 1, 9}}});
  EXPECT_THAT(endless_gain<double>(process, {0, 0, 0, 0}, .5), ElementsAre(0, 1));
  EXPECT_THAT(endless_gain<double>(process, {0, 0, 0, 0}, 2), testing::IsEmpty());
  // Values that have not converged prove nothing.
  EXPECT_THAT(endless_gain<double>(process, {9, 0, 0, 0}, .5), testing::IsEmpty());
}

TYPED_TEST(Sweeps, EndAtTheSweepLimitWithoutAnEnd) {
  // Two states that alternate at a cost: no policy ends.
  const auto process = discounted_process<TypeParam>(2, 1, 1, {{{1, 1, -1}}, {{0, 1, -1}}});
  EXPECT_THAT(find_proper_policies(process).improper, ElementsAre(0, 1));
  SolveOptions options = with_tolerance(1e-4);
  options.max_sweeps = 5000;
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, process, options);
    EXPECT_FALSE(solution.converged) << method.name;
    EXPECT_LE(solution.sweeps, 5000) << method.name;
  }
}

TYPED_TEST(Sweeps, SolveALongChain) {
  // A chain of 3000 states, each of which costs 1.
  std::vector<std::vector<Transition>> rows;
  rows.reserve(3000);
  for (std::int32_t s = 0; s < 3000; ++s) rows.push_back({{s + 1, 1, -1}});
  const auto process = discounted_process<TypeParam>(3001, 1, 1, rows);
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-4));
    EXPECT_TRUE(solution.converged) << method.name;
    EXPECT_EQ(solution.value[0], -3000) << method.name;
    EXPECT_EQ(solution.residual, 0) << method.name;
    // With γ = 1 a sweep that changes nothing proves nothing: a fixed point need not be the
    // optimum.
    EXPECT_FALSE(std::isfinite(solution.bounds.error())) << method.name;
  }
}

TYPED_TEST(Sweeps, ThrowForInfiniteValues) {
  const double huge = std::numeric_limits<TypeParam>::max() / 4;
  const auto process = discounted_process<TypeParam>(1, 1, 1, {{{0, 1, huge}}});
  for (const auto& method : methods<TypeParam>) {
    EXPECT_THROW(solve_and_validate(method.solve, process, with_tolerance(1e-4)), RunError)
        << method.name;
  }
}

TYPED_TEST(Sweeps, EndIfTheToleranceIsBelowThePrecision) {
  const auto process = test::make_process<TypeParam>({.seed = 3, .discount = 0.9});
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, process, with_tolerance(1e-30));
    EXPECT_LT(solution.sweeps, 5000) << method.name;
    EXPECT_LT(solution.bounds.error(), solution.rounding + 1e-12) << method.name;
  }
}

TYPED_TEST(Sweeps, StopByChange) {
  const auto process = test::make_process<TypeParam>({.seed = 5, .discount = 0.9});
  SolveOptions options = with_tolerance(1e-3);
  options.stop = StoppingRule::change;
  for (const auto& method : methods<TypeParam>) {
    const auto solution = solve_and_validate(method.solve, process, options);
    EXPECT_TRUE(solution.converged) << method.name;
    EXPECT_LT(solution.residual, 1e-3) << method.name;
    EXPECT_LT(solution.bounds.error(), 1e-2) << method.name;
  }
}

TYPED_TEST(Sweeps, HaveTheSameBitsWithAnyNumberOfThreads) {
  const auto process = test::make_process<TypeParam>({.seed = 7, .states = 20'000, .local = true});
  const auto single_thread =
      solve_and_validate(iterate_values<TypeParam>, process, with_tolerance(1e-3, 1));
  for (const std::int32_t threads : {2, 3, 5}) {
    const auto multithreaded =
        solve_and_validate(iterate_values<TypeParam>, process, with_tolerance(1e-3, threads));
    EXPECT_EQ(single_thread.value, multithreaded.value);
    EXPECT_EQ(single_thread.action, multithreaded.action);
    EXPECT_EQ(single_thread.sweeps, multithreaded.sweeps);
  }
  ProcessSolution<TypeParam> validated = single_thread;
  validate_solution(process, 3, validated);
  EXPECT_EQ(validated.residual, single_thread.residual);
  EXPECT_EQ(validated.bounds.lower, single_thread.bounds.lower);
  EXPECT_EQ(validated.rounding, single_thread.rounding);
}

TEST(ValidateSolution, MatchesAHandCalculation) {
  const auto process = test::four_cell_world<float>();
  ProcessSolution<float> solution;
  solution.value = {8, 10, 9, 0};
  solution.action = {0, 1, 0, -1};
  validate_solution(process, 1, solution);
  EXPECT_NEAR(solution.residual, 1, 1e-6);  // state 2 can reach 10
  EXPECT_NEAR(solution.bounds.lower, 0, 1e-5);
  EXPECT_NEAR(solution.bounds.upper, 10, 1e-5);
  // One entry per row; states 1 and 2 have a value of at most 10.
  EXPECT_NEAR(solution.rounding, 3 * 0x1p-23 * 10 / (1 - 0.9), 1e-9);
}

DecisionProcess<float> ten_million_states() {
  constexpr std::int32_t states = 10'000'000;
  DecisionProcess<float> process;
  process.state_count = states;
  process.action_count = 1;
  process.discount = 0.5;
  process.row_begin.reserve(states + 1);
  process.reward.assign(states, 1);
  process.reward.back() = 0;
  for (std::int32_t s = 0; s < states - 1; ++s) {
    if (s % 2 == 0) {
      process.successor.push_back(s + 1);
      process.probability.push_back(1);
    } else {
      process.successor.own().insert(process.successor.own().end(), {s / 2, s + 1});
      process.probability.own().insert(process.probability.own().end(), {0.25F, 0.75F});
    }
    process.row_begin.push_back(process.entry_count());
  }
  process.row_begin.push_back(process.entry_count());
  return process;
}

TEST(TenMillionStates, AreSolved) {
  const auto process = ten_million_states();
  EXPECT_TRUE(find_proper_policies(process).improper.empty());
  const auto solution = solve_and_validate(iterate_values<float>, process, with_tolerance(1e-2));
  EXPECT_TRUE(solution.converged);
  EXPECT_NEAR(solution.value[0], 2, 1.1e-2);
  EXPECT_LT(solution.bounds.error(), 2e-2);
  SolveOptions steps = with_tolerance(1e-2);
  steps.horizon = 3;
  const auto backward = solve_and_validate(induce_backward<float>, process, steps);
  EXPECT_EQ(backward.value[0], 1.75F);
  EXPECT_EQ(backward.value[9'999'998], 1);
}

}  // namespace
}  // namespace tidewise::mdp
