#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/backup/bellman.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/methods/functions.h"
#include "mdp/policy/block_sum.h"
#include "mdp/policy/evaluation_end.h"
#include "mdp/process/first_values.h"
#include "mdp/process/row_writer.h"
#include "mdp/sweeps/jacobi_sweep.h"
#include "mdp/worlds/sample_worlds.h"
#include "support/error_code.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;

template <class Real>
ProcessSolution<Real> solve_by_policies(const DecisionProcess<Real>& process,
                                        SolverOptions requested = {},
                                        std::int32_t evaluation_sweeps = 20) {
  SolveOptions options(std::move(requested));
  options.method = Method::policy_iteration;
  options.evaluation_sweeps = evaluation_sweeps;
  SilentProgress silent;
  return iterate_policies(process, options, silent);
}

/// Returns the greatest difference from V*, relative to the greatest value.
template <class Real>
double distance(const std::vector<Real>& value, const std::vector<double>& optimum) {
  double difference = 0;
  double scale = 1;
  for (std::size_t s = 0; s < optimum.size(); ++s) {
    difference = std::max(difference, std::abs(static_cast<double>(value[s]) - optimum[s]));
    scale = std::max(scale, std::abs(optimum[s]));
  }
  return difference / scale;
}

template <class Real>
class PolicyIteration : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(PolicyIteration, Reals);

TYPED_TEST(PolicyIteration, MatchesAHandCalculation) {
  const auto solution = solve_by_policies(test::four_cell_world<TypeParam>());
  EXPECT_TRUE(solution.converged);
  test::expect_four_cells_solved(solution, 1e-4);
  EXPECT_GE(solution.seconds, solution.sweep_seconds);
}

TYPED_TEST(PolicyIteration, SolvesTheThreeStates) {
  const auto process = test::three_state_process<TypeParam>();
  const auto solution = solve_by_policies(process, {.tolerance = 1e-3});
  EXPECT_TRUE(solution.converged);
  const auto optimum = test::reference_values(process);
  for (std::size_t s = 0; s < 3; ++s) EXPECT_NEAR(solution.value[s], optimum[s], 1.1e-3);
  EXPECT_TRUE(test::is_greedy(process, optimum, solution.action));
  // Without a terminal state all changes become equal, and the bounds meet soon.
  EXPECT_LE(solution.improvements, 6);
}

TYPED_TEST(PolicyIteration, MatchesTheReferenceOnRandomProcesses) {
  for (const std::int32_t evaluation_sweeps : {0, 1, 20}) {
    for (const double discount : {0.0, 0.9, 0.99}) {
      for (const test::RandomProcess& settings : test::random_processes()) {
        auto process = test::make_process<TypeParam>(settings);
        process.discount = discount;
        SCOPED_TRACE(testing::Message() << "sweeps " << evaluation_sweeps << ", discount "
                                        << discount << ", seed " << settings.seed);
        const auto optimum = test::reference_values(process);
        const auto solution = solve_by_policies(process, {.tolerance = 1e-3}, evaluation_sweeps);
        EXPECT_TRUE(solution.converged);
        EXPECT_LT(distance(solution.value, optimum), 1e-3);
        EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 5e-3));
        // An evaluation ends early if a sweep changes nothing.
        EXPECT_LE(solution.sweeps,
                  solution.improvements + evaluation_sweeps * (solution.improvements - 1));
        EXPECT_GE(solution.sweeps, solution.improvements);
      }
    }
  }
}

TYPED_TEST(PolicyIteration, SolvesDiscountOneIfPoliciesEnd) {
  for (const std::int32_t evaluation_sweeps : {0, 1, 20}) {
    const auto process =
        test::make_costly_process<TypeParam>({.seed = 11, .states = 300, .terminal_share = 0.1});
    const auto optimum = test::reference_values(process);
    const auto solution = solve_by_policies(process, {.tolerance = 1e-5}, evaluation_sweeps);
    EXPECT_TRUE(solution.converged);
    EXPECT_LT(distance(solution.value, optimum), 1e-5);
    EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 1e-4));
    EXPECT_EQ(solution.value.back(), TypeParam(3.5));
  }
}

TYPED_TEST(PolicyIteration, LeavesAPolicyThatNeverEnds) {
  // A row of cells with the end at the right; action 0 stays, and is greedy at first because of a
  // tie.
  RowWriter<TypeParam> writer(6, 2);
  for (std::int32_t s = 0; s < 5; ++s) {
    std::vector<Transition> stay{{s, 1, -1}};
    std::vector<Transition> go{{s + 1, 1, -1}};
    ASSERT_EQ(writer.add_row(stay), "");
    ASSERT_EQ(writer.add_row(go), "");
  }
  const auto process = writer.finish();
  const auto solution = solve_by_policies(process);
  EXPECT_TRUE(solution.converged);
  EXPECT_THAT(solution.value, ElementsAre(-5, -4, -3, -2, -1, 0));
  EXPECT_THAT(solution.action, ElementsAre(1, 1, 1, 1, 1, -1));
}

TYPED_TEST(PolicyIteration, WithoutEvaluationIsValueIteration) {
  const auto process = test::make_process<TypeParam>({.seed = 12});
  const auto solution = solve_by_policies(process, {.stop = StoppingRule::change}, 0);
  std::vector<TypeParam> value(100, 0);
  std::vector<TypeParam> next(100);
  double change = 1;
  std::int64_t sweeps = 0;
  for (; !(change < 1e-4); ++sweeps) {
    change = 0;
    for (std::int32_t s = 0; s < 100; ++s) {
      next[std::size_t(s)] = best_action(view_of(process), value.data(), s).value;
      change =
          std::max(change, std::abs(double(next[std::size_t(s)]) - double(value[std::size_t(s)])));
    }
    value.swap(next);
  }
  EXPECT_EQ(solution.value, value);
  EXPECT_EQ(solution.sweeps, sweeps);
  EXPECT_EQ(solution.improvements, sweeps);
}

TYPED_TEST(PolicyIteration, GivesTheSameBitsWithAnyNumberOfThreads) {
  const auto process = test::make_process<TypeParam>({.seed = 13, .states = 1001});
  const auto single_thread = solve_by_policies(process);
  for (const std::int32_t threads : {2, 3, 8}) {
    const auto multithreaded = solve_by_policies(process, {.threads = threads});
    EXPECT_EQ(multithreaded.value, single_thread.value);
    EXPECT_EQ(multithreaded.action, single_thread.action);
    EXPECT_EQ(multithreaded.sweeps, single_thread.sweeps);
    EXPECT_EQ(multithreaded.policy_changes, single_thread.policy_changes);
  }
}

TYPED_TEST(PolicyIteration, NeedsFewerImprovementsWithMoreEvaluation) {
  const auto process =
      test::make_process<TypeParam>({.seed = 14, .states = 500, .discount = 0.99, .local = true});
  EXPECT_LT(5 * solve_by_policies(process, {.tolerance = 1e-2}, 50).improvements,
            solve_by_policies(process, {.tolerance = 1e-2}, 0).improvements);
}

/// A car whose early policies have very low values: an improvement may change more than the
/// previous one, however many sweeps are between them.
TYPED_TEST(PolicyIteration, SolvesWithAnyAmountOfEvaluation) {
  const auto process = make_sample_world<TypeParam>({"car", 0.99, 0.01});
  const auto exact =
      solve_by_policies(make_sample_world<double>({"car", 0.99, 0.01}), {.tolerance = 1e-8}, 5);
  ASSERT_TRUE(exact.converged);
  for (const std::int32_t sweeps : {0, 1, 5, 20, 50, 100, 200, 500, 1000, 2000, 5000}) {
    const auto solution = solve_by_policies(process, {.tolerance = 1e-2}, sweeps);
    EXPECT_TRUE(solution.converged) << sweeps;
    EXPECT_LT(distance(solution.value, exact.value), 1e-2) << sweeps;
  }
}

TYPED_TEST(PolicyIteration, CountsOnlyCompletedSweeps) {
  constexpr std::int32_t evaluation_sweeps = 1'000'000;
  // A chain of cells to the end: after as many sweeps as there are cells nothing changes.
  RowWriter<TypeParam> writer(11, 1);
  for (std::int32_t s = 0; s < 10; ++s) {
    std::vector<Transition> go{{s + 1, 1, -1}};
    ASSERT_EQ(writer.add_row(go), "");
  }
  auto process = writer.finish();
  process.discount = 0.5;
  const auto solution = solve_by_policies(process, {.tolerance = 1e-6}, evaluation_sweeps);
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.improvements, 2);
  EXPECT_EQ(solution.sweeps, 2 + 10);  // the last evaluation's sweep finds no change
  // An evaluation also ends if rounding moves values back and forth.
  for (const test::RandomProcess& settings : test::random_processes()) {
    const auto random = test::make_process<TypeParam>(settings);
    const auto random_solution = solve_by_policies(random, {.tolerance = 1e-3}, evaluation_sweeps);
    EXPECT_TRUE(random_solution.converged) << "seed " << settings.seed;
    EXPECT_LT(random_solution.sweeps, 1500 * random_solution.improvements)
        << "seed " << settings.seed;
  }
}

TYPED_TEST(PolicyIteration, EndsWithAStablePolicy) {
  constexpr double tolerance = 1e-3;
  for (const double discount : {0.5, 0.9, 0.99}) {
    for (test::RandomProcess settings : test::random_processes()) {
      settings.discount = discount;
      const auto process = test::make_process<TypeParam>(settings);
      SCOPED_TRACE(testing::Message() << "discount " << discount << ", seed " << settings.seed);
      const auto solution =
          solve_by_policies(process, {.tolerance = tolerance, .stop = StoppingRule::policy});
      EXPECT_TRUE(solution.converged);
      const auto optimum = test::reference_values(process);
      const double error = 2 * tolerance / (1 - discount);
      for (std::size_t s = 0; s < optimum.size(); ++s) {
        ASSERT_NEAR(solution.value[s], optimum[s], error + 1e-5 * std::abs(optimum[s]));
      }
      // Howard's policy iteration needs few improvements, however many sweeps they need.
      EXPECT_LE(solution.improvements, 20);
      EXPECT_GE(solution.sweeps, 2 * solution.improvements - 1);
    }
  }
}

TYPED_TEST(PolicyIteration, EvaluatesUntilNoValueChangesByTheTolerance) {
  // With one action per state the first policy is the only one.
  const auto process = test::make_process<TypeParam>(
      {.seed = 31, .states = 200, .actions = 1, .discount = 0.9, .lacking_share = 0});
  std::vector<TypeParam> value = first_values(process);
  std::vector<TypeParam> next(value.size());
  std::vector<std::int32_t> action(value.size());
  const auto sweep = [&] {
    const double change =
        sweep_rows(view_of(process), 1, value.data(), next.data(), action.data()).residual();
    std::swap(value, next);
    return change;
  };
  std::int64_t sweeps = 1;
  sweep();  // the improvement
  do {
    ++sweeps;
  } while (sweep() >= 1e-3);
  ++sweeps;
  sweep();  // finds that the policy is stable
  SolverOptions options{.tolerance = 1e-3, .stop = StoppingRule::policy};
  const auto solution = solve_by_policies(process, options);
  EXPECT_EQ(solution.sweeps, sweeps);
  EXPECT_EQ(solution.improvements, 2);
  EXPECT_EQ(solution.value, value);
  // An evaluation also ends at the sweep limit.
  options.max_sweeps = 3;
  const auto limited = solve_by_policies(process, options);
  EXPECT_TRUE(limited.converged);
  EXPECT_EQ(limited.sweeps, 2 + 3);
}

TYPED_TEST(PolicyIteration, KeepsAnEquallyGoodAction) {
  // Both actions of state 0 lead to an end; the second has a slightly larger reward.
  const auto process_with = [](double extra_reward) {
    RowWriter<TypeParam> writer(2, 2);
    std::vector<Transition> first{{1, 1, 1}};
    std::vector<Transition> second{{1, 1, 1 + extra_reward}};
    EXPECT_EQ(writer.add_row(first), "");
    EXPECT_EQ(writer.add_row(second), "");
    auto process = writer.finish();
    process.discount = 0.5;
    return process;
  };
  const std::vector<TypeParam> value(2, 0);
  for (const double extra_reward : {0.0, 0.01, 0.2}) {
    const auto process = process_with(extra_reward);
    const auto view = view_of(process);
    const auto best = best_action(view, value.data(), 0);
    EXPECT_EQ(best.action, extra_reward > 0 ? 1 : 0);
    EXPECT_EQ(keep_action(view, value.data(), 0, 0, best, 0.1), extra_reward > 0.1 ? 1 : 0);
    EXPECT_EQ(keep_action(view, value.data(), 0, 1, best, 0.1), 1);
    EXPECT_EQ(keep_action(view, value.data(), 0, -1, best, 0.1), best.action);
    EXPECT_EQ(keep_action(view, value.data(), 0, 1, best, -1), best.action);
  }
}

TYPED_TEST(PolicyIteration, SumsRowsInTheOrderOfABlock) {
  // 70 entries whose sum depends on the order: lanes of 32 first, then halves of them.
  constexpr std::int64_t count = 70;
  std::vector<std::int32_t> successor(count);
  std::vector<TypeParam> probability(count);
  std::vector<TypeParam> value(count);
  for (std::int64_t n = 0; n < count; ++n) {
    const auto index = static_cast<std::size_t>(n);
    successor[index] = static_cast<std::int32_t>(count - 1 - n);
    probability[index] = TypeParam(1) / TypeParam(3 + 7 * n);
    value[index] = TypeParam(1000.1) / TypeParam(1 + n);
  }
  std::vector<TypeParam> lane(32, 0);
  for (std::size_t n = 0; n < std::size_t(count); ++n) {
    lane[n % 32] = std::fma(probability[n], value[std::size_t(successor[n])], lane[n % 32]);
  }
  while (lane.size() > 1) {
    const std::size_t half = lane.size() / 2;
    for (std::size_t t = 0; t < half; ++t) lane[t] += lane[t + half];
    lane.resize(half);
  }
  EXPECT_EQ(block_sum(successor.data(), probability.data(), count, value.data()), lane[0]);
  const auto process = test::make_process<TypeParam>({.seed = 33, .states = 120, .successors = 70});
  SolveOptions options({.method = Method::policy_iteration, .tolerance = 1e-3});
  SilentProgress silent;
  const auto serial = iterate_policies(process, options, silent);
  options.evaluator = Evaluator::block;
  const auto block = iterate_policies(process, options, silent);
  EXPECT_TRUE(block.converged);
  EXPECT_NE(block.value, serial.value);
  for (std::size_t s = 0; s < serial.value.size(); ++s) {
    EXPECT_NEAR(block.value[s], serial.value[s], 2e-3);
  }
}

TEST(EvaluationEnd, DependsOnChangeCountAndPatience) {
  EvaluationEnd no_sweeps(0, 1, 10);
  EXPECT_TRUE(no_sweeps.is_due());
  EvaluationEnd by_change(100, 0.5, 10);
  by_change.include(1);
  EXPECT_FALSE(by_change.is_due());
  EXPECT_EQ(by_change.sure_sweeps(), 10);
  by_change.include(0.49);
  EXPECT_TRUE(by_change.is_due());
  EXPECT_EQ(by_change.sweeps(), 2);
  EvaluationEnd by_count(2, 0, 10);
  by_count.include(1);
  EXPECT_EQ(by_count.sure_sweeps(), 1);
  by_count.include(1);
  EXPECT_TRUE(by_count.is_due());
  EvaluationEnd by_patience(100, 0, 3);
  for (int sweep = 0; sweep < 4; ++sweep) {
    EXPECT_FALSE(by_patience.is_due());
    by_patience.include(1);
  }
  EXPECT_TRUE(by_patience.is_due());
  EXPECT_TRUE(ends_evaluation(0, 0));
  EXPECT_FALSE(ends_evaluation(NAN, 1));
}

TYPED_TEST(PolicyIteration, EvaluatesOnCopiedRowsWithTheSameBits) {
  // Long rows, whose sum has other bits in another order.
  const auto process =
      test::make_process<TypeParam>({.seed = 21, .states = 120, .successors = 40, .discount = 0.9});
  const auto solution =
      solve_by_policies(process, {.stop = StoppingRule::change, .max_sweeps = 5}, 3);
  const ProcessView<TypeParam> view = view_of(process);
  std::vector<TypeParam> value = first_values(process);
  std::vector<TypeParam> next(value.size());
  std::vector<std::int32_t> action(value.size());
  for (int sweep = 0; sweep < 5; ++sweep) {  // two improvements, the first and the last
    if (sweep % 4 == 0) {
      sweep_rows(view, 1, value.data(), next.data(), action.data());
    } else {
      const EvaluateState<TypeParam> evaluate{view, action, value, next};
      for (std::size_t s = 0; s < value.size(); ++s) evaluate(s);
    }
    std::swap(value, next);
  }
  EXPECT_EQ(solution.sweeps, 5);
  EXPECT_EQ(solution.action, action);
  EXPECT_EQ(solution.value, value);
}

TYPED_TEST(PolicyIteration, GivesUpAtTheSweepLimit) {
  const auto process = test::make_process<TypeParam>({.seed = 15, .discount = 0.999});
  for (const std::int64_t max : {1, 2, 3, 21, 22, 23, 50}) {
    const auto solution = solve_by_policies(process, {.tolerance = 1e-9, .max_sweeps = max});
    EXPECT_FALSE(solution.converged);
    EXPECT_EQ(solution.sweeps, max);
    for (std::int32_t s = 0; s < 100; ++s) {
      EXPECT_EQ(solution.action[std::size_t(s)] < 0, process.is_terminal(s));
    }
  }
}

TYPED_TEST(PolicyIteration, CountsPolicyChanges) {
  const auto process = test::four_cell_world<TypeParam>();
  // Three states find an action at first; only state 0 may change its action later.
  const auto solution = solve_by_policies(process);
  EXPECT_GE(solution.policy_changes, 3);
  EXPECT_LE(solution.policy_changes, 4);
  EXPECT_EQ(solve_by_policies(test::make_process<TypeParam>({.terminal_share = 1})).policy_changes,
            0);
}

TYPED_TEST(PolicyIteration, SolvesASingleState) {
  RowWriter<TypeParam> writer(1, 1);
  std::vector<Transition> stay{{0, 1, 3}};
  ASSERT_EQ(writer.add_row(stay), "");
  auto process = writer.finish();
  process.discount = 0.75;
  const auto solution = solve_by_policies(process);
  // The bounds meet after one sweep; their middle is the result.
  EXPECT_THAT(solution.value, ElementsAre(12));
  EXPECT_EQ(solution.sweeps, 1);
}

/// Returns a process of two states: one may stay and gain `reward` for ever, or end in the other.
DecisionProcess<float> lasting_gain(double reward, double discount) {
  RowWriter<float> writer(2, 2);
  std::vector<Transition> stay{{0, 1, reward}};
  std::vector<Transition> leave{{1, 1, 0}};
  EXPECT_EQ(writer.add_row(stay), "");
  EXPECT_EQ(writer.add_row(leave), "");
  DecisionProcess<float> process = writer.finish();
  process.discount = discount;
  return process;
}

TEST(PolicyIterationRange, ThrowsForInfiniteValues) {
  // Evaluation makes the value infinite; improvements then change nothing.
  for (const double discount : {0.99, 1.0}) {
    for (const double reward : {1e38, -1e38}) {
      const DecisionProcess<float> process = lasting_gain(reward, discount);
      SilentProgress progress;
      if (reward > 0) {
        EXPECT_THROW(iterate_policies(process, {}, progress), RunError) << discount;
      } else {
        EXPECT_EQ(iterate_policies(process, {}, progress).value[0], 0);
      }
    }
  }
}

TEST(PolicyStep, KeepsNan) {
  PolicyStep step{{0, 0}, 1, 0};
  step.include(PolicyStep{{0, 0}, NAN, 0});
  step.include(PolicyStep{{0, 0}, 2, 0});
  EXPECT_TRUE(std::isnan(step.max));
}

TEST(PolicyIterationOptions, RefuseNegativeSweeps) {
  try {
    solve_by_policies(test::four_cell_world<double>(), {}, -1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("evaluation_sweeps_negative"));
  }
}

}  // namespace
}  // namespace tidewise::mdp
