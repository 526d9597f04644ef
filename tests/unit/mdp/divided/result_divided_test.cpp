#include <gmock/gmock.h>

#include "base/error.h"
#include "division_checks.h"
#include "mdp/divided/result_stages.h"
#include "mdp/methods/functions.h"

namespace tidewise::mdp {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

template <class Real>
ProcessSolution<Real> solve_result_divided(const DecisionProcess<Real>& process,
                                           const SolveOptions& options) {
  SilentProgress silence;
  return iterate_result_divided(process, options, silence);
}

template <class Real>
class ResultDivided : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ResultDivided, Precisions);

TYPED_TEST(ResultDivided, FindsTheOptimum) {
  for (const auto& [name, process] : cases::division_cases<TypeParam>()) {
    SCOPED_TRACE(name);
    cases::expect_optimal(process, solve_result_divided(process, cases::division_options(process)));
  }
}

TYPED_TEST(ResultDivided, GivesTheSameBitsWithAnyNumberOfThreads) {
  const auto process = test::make_process<TypeParam>({.seed = 10, .states = 500});
  SolveOptions options = cases::division_options(process);
  const auto single_thread = solve_result_divided(process, options);
  options.threads = 4;
  cases::expect_same_bits(solve_result_divided(process, options), single_thread);
}

TYPED_TEST(ResultDivided, NeedsAboutAsManySweepsAsValueIteration) {
  const auto process = cases::slip_world<TypeParam>(40, 20, .95);
  SolveOptions options;
  options.stop = StoppingRule::change;
  options.tolerance = 1e-3;
  const std::int64_t jacobi_sweeps = cases::plain_sweeps(process, options.tolerance);
  const auto solution = solve_result_divided(process, options);
  EXPECT_TRUE(solution.converged);
  EXPECT_GE(solution.sweeps, jacobi_sweeps - 1);  // products are rounded separately
  EXPECT_LE(solution.sweeps, jacobi_sweeps + jacobi_sweeps / 8 + 1);
}

TYPED_TEST(ResultDivided, ThrowsForInfiniteValues) {
  cases::expect_overflow_error<TypeParam>(solve_result_divided<TypeParam>, "result-divided");
}

TYPED_TEST(ResultDivided, GivesUpWhenOnlyRoundingIsLeft) {
  cases::expect_end_at_rounding<TypeParam>(solve_result_divided<TypeParam>);
}

TYPED_TEST(ResultDivided, GivesUpAtTheSweepLimit) {
  const auto process = test::make_process<TypeParam>({.seed = 11, .discount = .99});
  SolveOptions options;
  options.max_sweeps = 5;
  const auto solution = solve_result_divided(process, options);
  EXPECT_EQ(solution.sweeps, 5);
  EXPECT_FALSE(solution.converged);
}

TEST(ResultStages, MatchAHandCalculation) {
  const auto process = test::three_state_process<double>();
  const auto view = view_of(process);
  std::vector<double> value{1, 2, 4};
  std::vector<double> product(8);
  std::vector<double> row_value(6);
  std::vector<std::int32_t> action(3);
  for (std::size_t n = 0; n < 8; ++n) {
    TransitionProducts<double>{view, value.data(), product.data()}(n);
  }
  EXPECT_THAT(product, ElementsAre(.5, 1, 2, 4, DoubleEq(.3), DoubleEq(2.8), 4, 2));
  for (std::size_t n = 0; n < 6; ++n) {
    RowSums<double>{view, product.data(), row_value.data()}(n);
  }
  EXPECT_THAT(row_value, ElementsAre(DoubleEq(.5 + .9 * 1.5), DoubleEq(1.8), DoubleEq(5.6),
                                     DoubleEq(.9 * 3.1), DoubleEq(3.6), DoubleEq(4.8)));
  const StateMaxima<double> maxima{view, row_value.data(), value.data(), action.data()};
  EXPECT_DOUBLE_EQ(maxima(0), .85);
  EXPECT_DOUBLE_EQ(maxima(1), 3.6);
  EXPECT_DOUBLE_EQ(maxima(2), .8);
  EXPECT_THAT(action, ElementsAre(0, 0, 1));
  EXPECT_THAT(value, ElementsAre(DoubleEq(1.85), DoubleEq(5.6), DoubleEq(4.8)));
}

}  // namespace
}  // namespace tidewise::mdp
