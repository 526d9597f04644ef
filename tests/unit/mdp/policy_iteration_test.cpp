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
                                        SolverOptions asked = {},
                                        std::int32_t evaluation_sweeps = 20) {
  SolveOptions options(std::move(asked));
  options.method = Method::policy_iteration;
  options.evaluation_sweeps = evaluation_sweeps;
  SilentProgress silent;
  return iterate_policies(process, options, silent);
}

/// The greatest difference from V*, relative to the greatest value.
template <class Real>
double distance(const std::vector<Real>& value, const std::vector<double>& optimum) {
  double apart = 0;
  double scale = 1;
  for (std::size_t s = 0; s < optimum.size(); ++s) {
    apart = std::max(apart, std::abs(static_cast<double>(value[s]) - optimum[s]));
    scale = std::max(scale, std::abs(optimum[s]));
  }
  return apart / scale;
}

template <class Real>
class PolicyIteration : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(PolicyIteration, Reals);

TYPED_TEST(PolicyIteration, SolvesTheWorldByHand) {
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
  // Without a terminal state all changes come to be alike, and the bounds to meet at once.
  EXPECT_LE(solution.improvements, 6);
}

TYPED_TEST(PolicyIteration, MeetsTheReferenceOnRandomProcesses) {
  for (const std::int32_t evaluation_sweeps : {0, 1, 20}) {
    for (const double discount : {0.0, 0.9, 0.99}) {
      for (const test::RandomProcess& wanted : test::random_processes()) {
        auto process = test::make_process<TypeParam>(wanted);
        process.discount = discount;
        SCOPED_TRACE(testing::Message() << "sweeps " << evaluation_sweeps << ", discount "
                                        << discount << ", seed " << wanted.seed);
        const auto optimum = test::reference_values(process);
        const auto solution = solve_by_policies(process, {.tolerance = 1e-3}, evaluation_sweeps);
        EXPECT_TRUE(solution.converged);
        EXPECT_LT(distance(solution.value, optimum), 1e-3);
        EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 5e-3));
        EXPECT_EQ(solution.sweeps,
                  solution.improvements + evaluation_sweeps * (solution.improvements - 1));
      }
    }
  }
}

TYPED_TEST(PolicyIteration, GoesWithoutADiscountWherePoliciesEnd) {
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
  // A row of cells with the end at the right; action 0 stays, and is greedy at first by the tie.
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

TYPED_TEST(PolicyIteration, GivesTheSameBitsByAnyThreads) {
  const auto process = test::make_process<TypeParam>({.seed = 13, .states = 1001});
  const auto one = solve_by_policies(process);
  for (const std::int32_t threads : {2, 3, 8}) {
    const auto many = solve_by_policies(process, {.threads = threads});
    EXPECT_EQ(many.value, one.value);
    EXPECT_EQ(many.action, one.action);
    EXPECT_EQ(many.sweeps, one.sweeps);
    EXPECT_EQ(many.policy_changes, one.policy_changes);
  }
}

TYPED_TEST(PolicyIteration, NeedsFewerImprovementsTheMoreItEvaluates) {
  const auto process =
      test::make_process<TypeParam>({.seed = 14, .states = 500, .discount = 0.99, .local = true});
  EXPECT_LT(5 * solve_by_policies(process, {.tolerance = 1e-2}, 50).improvements,
            solve_by_policies(process, {.tolerance = 1e-2}, 0).improvements);
}

/// A car of which early policies are worth much less than nothing: an improvement may change more
/// than the one before, whatever lies between the two.
TYPED_TEST(PolicyIteration, AnswersHoweverMuchItEvaluates) {
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

TYPED_TEST(PolicyIteration, EvaluatesOnItsOwnRowsToTheBit) {
  // Long rows, whose sum has other bits in another order.
  const auto process =
      test::make_process<TypeParam>({.seed = 21, .states = 120, .successors = 40, .discount = 0.9});
  const auto solution =
      solve_by_policies(process, {.stop = StoppingRule::change, .most_sweeps = 5}, 3);
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

TYPED_TEST(PolicyIteration, GivesUpAfterTheMostSweeps) {
  const auto process = test::make_process<TypeParam>({.seed = 15, .discount = 0.999});
  for (const std::int64_t most : {1, 2, 3, 21, 22, 23, 50}) {
    const auto solution = solve_by_policies(process, {.tolerance = 1e-9, .most_sweeps = most});
    EXPECT_FALSE(solution.converged);
    EXPECT_EQ(solution.sweeps, most);
    for (std::int32_t s = 0; s < 100; ++s) {
      EXPECT_EQ(solution.action[std::size_t(s)] < 0, process.is_terminal(s));
    }
  }
}

TYPED_TEST(PolicyIteration, CountsWhatChangesInThePolicy) {
  const auto process = test::four_cell_world<TypeParam>();
  // Three states find an action at first; only state 0 may take another later, and does not: it
  // keeps to the right as soon as state 1 is worth 10.
  const auto solution = solve_by_policies(process);
  EXPECT_GE(solution.policy_changes, 3);
  EXPECT_LE(solution.policy_changes, 4);
  EXPECT_EQ(solve_by_policies(test::make_process<TypeParam>({.terminal_share = 1})).policy_changes,
            0);
}

TYPED_TEST(PolicyIteration, StaysInOneStateForEver) {
  RowWriter<TypeParam> writer(1, 1);
  std::vector<Transition> stay{{0, 1, 3}};
  ASSERT_EQ(writer.add_row(stay), "");
  auto process = writer.finish();
  process.discount = 0.75;
  const auto solution = solve_by_policies(process);
  // The bounds meet after one sweep already: their middle is the answer.
  EXPECT_THAT(solution.value, ElementsAre(12));
  EXPECT_EQ(solution.sweeps, 1);
}

/// Two states: one that may stay and gain `reward` for ever, or end in the other.
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

TEST(PolicyIterationRange, IsLeftWithAnError) {
  // Evaluation makes the value infinite; improvements then find that nothing changes any more.
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

TEST(PolicyStep, LosesNoNumberThatIsNone) {
  PolicyStep step{{0, 0}, 1, 0};
  step.include(PolicyStep{{0, 0}, NAN, 0});
  step.include(PolicyStep{{0, 0}, 2, 0});
  EXPECT_TRUE(std::isnan(step.greatest));
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
