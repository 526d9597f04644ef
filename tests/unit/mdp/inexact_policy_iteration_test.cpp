#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/solve/solve_process.h"
#include "mdp/worlds/queue_network.h"
#include "mdp/worlds/sample_worlds.h"
#include "support/mdp/process_cases.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

template <class Real>
ProcessSolution<Real> solve_inexactly(const DecisionProcess<Real>& process,
                                      SolverOptions requested = {},
                                      Method method = Method::inexact_policy_iteration,
                                      Evaluator evaluator = Evaluator::automatic) {
  SolveOptions options(std::move(requested));
  options.method = method;
  options.evaluator = evaluator;
  SilentProgress silent;
  return solve_process(process, options, silent);
}

template <class Real>
class InexactPolicyIteration : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(InexactPolicyIteration, Reals);

TYPED_TEST(InexactPolicyIteration, MatchesAHandCalculation) {
  const auto solution = solve_inexactly(test::four_cell_world<TypeParam>());
  EXPECT_TRUE(solution.converged);
  test::expect_four_cells_solved(solution, 1e-4);
}

TYPED_TEST(InexactPolicyIteration, MatchesTheReferenceOnRandomProcesses) {
  for (const double discount : {0.0, 0.3, 0.9, 0.99}) {
    for (const test::RandomProcess& settings : test::random_processes()) {
      for (const StoppingRule stop : {StoppingRule::error, StoppingRule::change}) {
        auto process = test::make_process<TypeParam>(settings);
        process.discount = discount;
        SCOPED_TRACE(testing::Message() << "discount " << discount << ", seed " << settings.seed
                                        << ", stop " << int(stop));
        const auto optimum = test::reference_values(process);
        const auto solution = solve_inexactly(process, {.tolerance = 1e-3, .stop = stop});
        // In single precision, values of hundreds have errors above 1e-3, which is reported.
        const bool may_round = std::is_same_v<TypeParam, float> && discount > .9;
        EXPECT_TRUE(solution.converged ||
                    (may_round && solution.outcome == Outcome::limited_by_rounding));
        const double max = stop == StoppingRule::error ? 1e-3 : 1e-3 / (1 - discount);
        for (std::size_t s = 0; s < optimum.size(); ++s) {
          EXPECT_NEAR(solution.value[s], optimum[s], max + solution.rounding);
        }
        EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 10 * max));
      }
    }
  }
}

TYPED_TEST(InexactPolicyIteration, UsesTheRequestedEvaluator) {
  std::int64_t with_sweeps = 0;
  std::int64_t with_krylov = 0;
  for (const test::RandomProcess& settings : test::random_processes()) {
    auto process = test::make_process<TypeParam>(settings);
    process.discount = 0.99;
    const auto optimum = test::reference_values(process);
    for (const Evaluator evaluator : {Evaluator::sweeps, Evaluator::krylov}) {
      const auto solution = solve_inexactly(process, {.tolerance = 1e-2},
                                            Method::inexact_policy_iteration, evaluator);
      EXPECT_TRUE(solution.converged) << name_of(evaluator) << ", seed " << settings.seed;
      for (std::size_t s = 0; s < optimum.size(); ++s) {
        EXPECT_NEAR(solution.value[s], optimum[s], 1e-2 + solution.rounding);
      }
      (evaluator == Evaluator::sweeps ? with_sweeps : with_krylov) += solution.sweeps;
    }
  }
  EXPECT_NE(with_sweeps, with_krylov);
}

TYPED_TEST(InexactPolicyIteration, BeginsWithInitialValues) {
  auto process = test::make_process<TypeParam>({.seed = 12, .discount = 0.95});
  process.initial_value.assign(100, TypeParam(7));
  const auto optimum = test::reference_values(process);  // terminal states have the value 7
  const auto solution = solve_inexactly(process, {.tolerance = 1e-3});
  for (std::size_t s = 0; s < optimum.size(); ++s) EXPECT_NEAR(solution.value[s], optimum[s], 1e-3);
  EXPECT_EQ(solution.value.back(), TypeParam(7));
}

/// Returns small worlds of every kind, each with three discounts.
std::vector<SampleWorld> small_sample_worlds() {
  std::vector<SampleWorld> worlds;
  for (const std::string& kind : sample_world_kinds()) {
    for (const double discount : {0.9, 0.99, 0.9999}) worlds.push_back({kind, discount, 0.003});
  }
  return worlds;
}

TYPED_TEST(InexactPolicyIteration, AgreesWithOtherMethodsOnWorldsOfEveryKind) {
  for (const SampleWorld& world : small_sample_worlds()) {
    SCOPED_TRACE(testing::Message() << world.kind << "@" << *world.discount);
    const auto process = make_sample_world<TypeParam>(world);
    const SolverOptions requested{.tolerance = std::is_same_v<TypeParam, float> ? 1.0 : 1e-3};
    const auto solution = solve_inexactly(process, requested);
    // In some worlds single precision does not suffice for a finer tolerance.
    if (!solution.converged) {
      EXPECT_GT(solution.rounding, requested.tolerance);
      continue;
    }
    const auto other = solve_inexactly(process, requested, Method::fused);
    for (std::size_t s = 0; s < solution.value.size(); ++s) {
      ASSERT_NEAR(solution.value[s], other.value[s],
                  2 * requested.tolerance + solution.rounding + other.rounding)
          << s;
    }
  }
}

TEST(InexactPolicies, HaveTheSameBitsWithAnyNumberOfThreads) {
  for (const SampleWorld& world :
       {SampleWorld{"random", 0.99, 0.03}, SampleWorld{"queues", 0.999, 0.03},
        SampleWorld{"car", 0.99, 0.04}, SampleWorld{"inventory", 0.99, 0.01}}) {
    SCOPED_TRACE(world.kind);
    const auto process = make_sample_world<double>(world);
    const auto single_thread = solve_inexactly(process);
    EXPECT_TRUE(single_thread.converged);
    for (const std::int32_t threads : {2, 3}) {
      const auto multithreaded = solve_inexactly(process, {.threads = threads});
      EXPECT_EQ(multithreaded.value, single_thread.value);
      EXPECT_EQ(multithreaded.action, single_thread.action);
      EXPECT_EQ(multithreaded.sweeps, single_thread.sweeps);
    }
  }
}

TEST(InexactPolicies, NeedFewSweepsWhereStatesMixSlowly) {
  // The fused method needs thousands of sweeps; Krylov steps need far fewer.
  const auto process = make_queue_network<double>({.capacity = 15, .discount = 0.9999});
  const auto solution = solve_inexactly(process);
  const auto fused = solve_inexactly(process, {}, Method::fused);
  EXPECT_TRUE(solution.converged);
  EXPECT_LT(2 * solution.sweeps, fused.sweeps);
  for (std::size_t s = 0; s < solution.value.size(); ++s) {
    ASSERT_NEAR(solution.value[s], fused.value[s], 2.1e-4);
  }
}

TEST(InexactPolicies, EndAtTheSweepLimit) {
  const auto process = make_queue_network<double>({.capacity = 9, .discount = 0.999});
  for (const std::int64_t max : {1, 2, 7, 40}) {
    const auto solution = solve_inexactly(process, {.max_sweeps = max});
    EXPECT_FALSE(solution.converged) << max;
    EXPECT_LE(solution.sweeps, max);
    EXPECT_EQ(solution.value.size(), 1000u);
  }
}

TEST(InexactPolicies, GiveUpIfTheToleranceIsBelowThePrecision) {
  const auto process = test::make_process<float>({.seed = 3, .discount = 0.99});
  const auto solution = solve_inexactly(process, {.tolerance = 1e-12});
  // The iteration may still converge, to values that equal their backups.
  EXPECT_TRUE(solution.converged || solution.residual < 1e-4);
  EXPECT_LT(solution.sweeps, 100'000);
}

TEST(InexactPolicies, ReachThePrecisionNearDiscountOne) {
  // Values of 4e7 are rounded by 7e-9, which this discount amplifies to 0.07. Plain sweeps would
  // need millions of sweeps to correct it.
  const double discount = 1 - 1e-7;
  auto process = test::rows_process<double>(3, 2,
                                            {{test::row({{0, 1}}, -4)},
                                             {test::row({{0, .8125}, {1, .1875}}, -3),
                                              test::row({{0, .625}, {1, .0625}, {2, .3125}}, -2)},
                                             {}});
  process.discount = discount;
  process.initial_value = {0, 0, 2};
  const double first = -4 / (1 - discount);
  const double second = (-2 + discount * (.625 * first + .3125 * 2)) / (1 - .0625 * discount);
  const auto solution = solve_inexactly(process, {.tolerance = 0.01});
  EXPECT_NE(solution.outcome, Outcome::gave_up);
  EXPECT_LT(solution.sweeps, 1000);
  EXPECT_NEAR(solution.value[0], first, 0.04);
  EXPECT_NEAR(solution.value[1], second, 0.04);
  EXPECT_LE(solution.value[0] + solution.bounds.lower, first);
  EXPECT_GE(solution.value[0] + solution.bounds.upper, first);
}

TEST(InexactPolicies, ConvergeBetweenAlternatingPolicies) {
  // Every state has an action without cost; actions differ by rare events.
  auto process = test::rows_process<double>(
      4, 3,
      {{test::row({{0, 1e-6}, {1, .999899}, {3, 1e-4}}, -2), test::row({{0, 1}}),
        test::row({{1, .999999}, {2, 1e-6}}, -2)},
       {test::row({{1, 1}}, -5), test::row({{2, 1e-6}, {3, .999999}}),
        test::row({{1, 1e-9}, {2, .999998999}, {3, 1e-6}})},
       {test::row({{0, 1e-9}, {1, 1e-6}, {3, .999998999}}), test::row({{2, 1}}, -2)},
       {test::row({{3, 1}}, -5), test::row({{3, 1}}, -2), test::row({{2, 1}})}});
  process.discount = 1 - 1e-7;
  process.initial_value = {0, 0, 2, 0};
  const auto solution = solve_inexactly(process, {.tolerance = 0.01});
  EXPECT_EQ(solution.outcome, Outcome::within_tolerance);
  EXPECT_LT(solution.sweeps, 10'000);
  for (const double value : solution.value) EXPECT_NEAR(value, 0, 0.01);
}

TEST(InexactPolicies, RefuseDiscountOne) {
  auto process = test::four_cell_world<double>();
  process.discount = 1;
  EXPECT_THROW(solve_inexactly(process), InputError);
}

}  // namespace
}  // namespace tidewise::mdp
