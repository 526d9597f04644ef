#include "mdp/solve/solve_process.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "mdp/graph/proper_policy.h"
#include "mdp/process/direction.h"
#include "mdp/process/exact_comparison.h"
#include "mdp/process/row_writer.h"
#include "mdp/worlds/gridworld.h"
#include "solver/explicit/sparse_product.h"
#include "support/device.h"
#include "support/error_code.h"
#include "support/mdp/policy_value.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

/// A method with its options and a name for messages.
struct SolvingMethod {
  std::string name;
  SolveOptions options;
};

/// Makes GoogleTest print the name instead of bytes.
void PrintTo(const SolvingMethod& solving_method, std::ostream* stream) {
  *stream << solving_method.name;
}

SolvingMethod make_solving_method(const std::string& name, Method method) {
  SolvingMethod solving_method{name, {}};
  solving_method.options.method = method;
  solving_method.options.threads = 2;
  solving_method.options.tolerance = 4e-5;
  return solving_method;
}

/// Returns all methods on the host that find the optimum of any process.
std::vector<SolvingMethod> host_methods() {
  std::vector<SolvingMethod> methods{
      make_solving_method("value_iteration", Method::value_iteration),
      make_solving_method("gauss_seidel", Method::gauss_seidel),
      make_solving_method("result_divided", Method::result_divided),
      make_solving_method("policy_iteration", Method::policy_iteration)};
  for (const auto variant : {BlockVariant::plain, BlockVariant::buffering,
                             BlockVariant::prioritising, BlockVariant::both}) {
    methods.push_back(make_solving_method("block_divided_" + std::to_string(int(variant)),
                                          Method::block_divided));
    methods.back().options.blocks.variant = variant;
    methods.back().options.blocks.states = 64;
  }
  for (const auto layout : {FusedLayout::rows, FusedLayout::packed}) {
    methods.push_back(make_solving_method("fused_" + std::to_string(int(layout)), Method::fused));
    methods.back().options.layout = layout;
  }
  return methods;
}

std::vector<SolvingMethod> device_methods() {
  std::vector<SolvingMethod> methods = host_methods();
  std::erase_if(methods, [](const SolvingMethod& method) {
    return is_for_host_alone(method.options.method);
  });
  for (SolvingMethod& method : methods) {
    method.name += "_on_device";
    method.options.backend = BackendChoice::cuda;
    method.options.evaluator = Evaluator::cuda;
  }
  methods.push_back(make_solving_method("fused_sliced_on_device", Method::fused));
  methods.back().options.layout = FusedLayout::sell;
  methods.back().options.backend = BackendChoice::cuda;
  if (has_sparse_product()) {
    methods.push_back(make_solving_method("cusparse_on_device", Method::policy_iteration));
    methods.back().options.backend = BackendChoice::cuda;
    methods.back().options.evaluator = Evaluator::cusparse;
  }
  return methods;
}

std::vector<SolvingMethod> all_methods() {
  std::vector<SolvingMethod> methods = host_methods();
  for (SolvingMethod& device_method : device_methods()) methods.push_back(device_method);
  return methods;
}

/// Returns a process that every policy terminates, with any rewards: each action ends with
/// probability `leak` / 100.
DecisionProcess<double> leaky_process(std::uint64_t seed, int leak) {
  auto process = test::make_process<double>({.seed = seed, .states = 200, .discount = 1.0});
  RowWriter<double> writer(process.state_count, process.action_count);
  const double continuation = 1 - 0.01 * leak;
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    std::vector<Transition> transitions;
    for (auto n = process.row_begin[std::size_t(row)]; n < process.row_begin[std::size_t(row) + 1];
         ++n) {
      transitions.push_back({process.successor[std::size_t(n)],
                             continuation * process.probability[std::size_t(n)], 0});
    }
    if (!transitions.empty()) transitions.push_back({process.state_count - 1, 1 - continuation, 0});
    EXPECT_EQ(writer.add_row(transitions, process.reward[std::size_t(row)]), "");
  }
  return writer.finish();
}

class EveryMethod : public testing::TestWithParam<SolvingMethod> {
 protected:
  template <class Real>
  void expect_optimal(const DecisionProcess<Real>& process,
                      const std::vector<double>& optimum) const {
    SilentProgress progress;
    SolveOptions options = GetParam().options;
    // With γ = 1 a sweep's change is no bound: it may be a hundredth of the error.
    if (!(process.discount < 1)) options.tolerance = 1e-6;
    const ProcessSolution<Real> solution = solve_process(process, options, progress);
    // A method that rounds differently may not converge in single precision, but must detect it.
    const bool may_give_up =
        std::is_same_v<Real, float> && options.evaluator == Evaluator::cusparse;
    // Single precision also cannot compute every value to the tolerance.
    const bool is_limited =
        std::is_same_v<Real, float> && solution.outcome == Outcome::limited_by_rounding;
    EXPECT_TRUE(solution.converged || is_limited || (may_give_up && solution.residual < 1e-5));
    EXPECT_LT(solution.sweeps, 100'000);
    ASSERT_EQ(solution.value.size(), optimum.size());
    double worst = 0;
    for (std::size_t s = 0; s < optimum.size(); ++s) {
      worst = std::max(worst, std::abs(double(solution.value[s]) - optimum[s]));
    }
    // Single precision may converge anywhere within rounding, depending on the order of sums, which
    // cuSPARSE chooses.
    EXPECT_LT(worst, 1e-4 + solution.rounding);
    EXPECT_LT(solution.residual, 1e-4);
    if (process.discount < 1) {
      // The reference's error is the last change of its sweep, 1e-13, over 1 − γ. The bounds
      // include rounding.
      EXPECT_LE(worst,
                solution.bounds.error() + 1e-13 / (1 - static_cast<double>(process.discount)));
    }
    EXPECT_GT(solution.sweeps, 0);
    EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 1e-4));
  }
  bool on_device() const { return GetParam().options.backend == BackendChoice::cuda; }
};

TEST_P(EveryMethod, MatchesHandCalculations) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  expect_optimal(test::four_cell_world<double>(), {8, 10, 10, 0});
  expect_optimal(test::four_cell_world<float>(), {8, 10, 10, 0});
  const auto three = test::three_state_process<double>();
  expect_optimal(three, test::reference_values(three));
}

TEST_P(EveryMethod, AgreesOnRandomProcesses) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const double discount : {0.0, 0.7, 0.95}) {
      for (const bool local : {false, true}) {
        SCOPED_TRACE(testing::Message() << seed << ", " << discount << ", " << local);
        const test::RandomProcess settings{.seed = seed,
                                           .states = 333,
                                           .actions = 5,
                                           .successors = 7,
                                           .discount = discount,
                                           .local = local};
        const auto exact = test::make_process<double>(settings);
        const auto optimum = test::reference_values(exact);
        expect_optimal(exact, optimum);
        // Bounds are for the stored process, with rounded probabilities.
        const auto rounded = test::make_process<float>(settings);
        expect_optimal(rounded, test::reference_values(rounded));
      }
    }
  }
}

TEST_P(EveryMethod, SolvesDiscountOneIfAllPoliciesEnd) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  const auto process = leaky_process(9, 1);
  expect_optimal(process, test::reference_values(process));
}

TEST_P(EveryMethod, SolvesDiscountOneIfContinuingCosts) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  // Some policies never end, and lose for ever.
  auto process = test::make_process<double>({.seed = 9, .states = 200, .discount = 1.0});
  for (double& reward : process.reward) reward = -0.1 - std::abs(reward);
  process.entry_reward.clear();
  ASSERT_TRUE(find_proper_policies(process).improper.empty());
  expect_optimal(process, test::reference_values(process));
}

TEST_P(EveryMethod, SolvesOneStateAndOneAction) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  RowWriter<double> writer(1, 1);
  std::vector<Transition> row{{0, 1, 0}};
  ASSERT_EQ(writer.add_row(row, 2), "");
  auto process = writer.finish();
  process.discount = 0.75;
  expect_optimal(process, {8});
}

TEST_P(EveryMethod, KeepsTerminalStates) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  auto process = RowWriter<double>(5, 3).finish();
  process.discount = 0.9;
  process.initial_value = {1, -2, 3, 0, 7};
  expect_optimal(process, {1, -2, 3, 0, 7});
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, testing::ValuesIn(all_methods()),
                         [](const auto& instance) { return instance.param.name; });

template <class Real>
DecisionProcess<Real> ring(std::int32_t states, bool with_exit) {
  RowWriter<Real> writer(states, 2);
  for (std::int32_t s = 0; s < states; ++s) {
    std::vector<Transition> onward{{(s + 1) % (states - 1), 1, 0}};
    std::vector<Transition> out;
    if (with_exit && s == 0) out.push_back({states - 1, 1, 0});
    if (s == states - 1) onward.clear();
    EXPECT_EQ(writer.add_row(onward, -1), "");
    EXPECT_EQ(writer.add_row(out, -1), "");
  }
  return writer.finish();
}

TEST(SolveProcess, RefusesDiscountOneWithoutAnEnd) {
  SilentProgress progress;
  for (const SolvingMethod& host_method : host_methods()) {
    SCOPED_TRACE(host_method.name);
    try {
      (void)solve_process(ring<double>(6, false), host_method.options, progress);
      FAIL() << "nothing was refused";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), test::has_code("states_without_end"));
    }
    const auto solution = solve_process(ring<double>(6, true), host_method.options, progress);
    EXPECT_TRUE(solution.converged);
    EXPECT_DOUBLE_EQ(solution.value[1], -5);  // four steps to state 0, and out
  }
}

/// Returns the rows of a chain: each state leads to the next one for −1, and the last one ends.
std::vector<std::vector<Transition>> chain_to_end(std::int32_t states) {
  std::vector<std::vector<Transition>> rows(std::size_t(states) * 2);
  for (std::int32_t s = 0; s + 1 < states; ++s) rows[std::size_t(s) * 2] = {{s + 1, 1, -1}};
  return rows;
}

template <class Real>
DecisionProcess<Real> two_action_process(std::vector<std::vector<Transition>> rows) {
  RowWriter<Real> writer(static_cast<std::int32_t>(rows.size() / 2), 2);
  for (auto& row : rows) EXPECT_EQ(writer.add_row(row), "");
  return writer.finish();
}

/// Expects that each method gives up soon and reports `states`, or also states that lead to them,
/// up to the last of `states`.
template <class Real>
void expect_endless(const DecisionProcess<Real>& process, const std::vector<std::int32_t>& states,
                    const std::vector<SolvingMethod>& methods = host_methods()) {
  SilentProgress progress;
  for (const SolvingMethod& method : methods) {
    SCOPED_TRACE(method.name);
    const auto solution = solve_process(process, method.options, progress);
    EXPECT_FALSE(solution.converged);
    EXPECT_TRUE(std::is_sorted(solution.endless.begin(), solution.endless.end()));
    EXPECT_TRUE(std::includes(solution.endless.begin(), solution.endless.end(), states.begin(),
                              states.end()));
    ASSERT_FALSE(solution.endless.empty());
    EXPECT_LE(solution.endless.back(), states.back());
    EXPECT_LT(solution.sweeps, 2000);
  }
}

TEST(SolveProcess, ReportsStatesThatGainWithoutEnd) {
  for (const std::int32_t states : {5, 20'000}) {
    SCOPED_TRACE(states);
    // One state may stay with a reward of 1.
    auto rows = chain_to_end(states);
    rows[7] = {{3, 1, 1}};
    expect_endless(two_action_process<double>(rows), {3});
    expect_endless(two_action_process<float>(rows), {3});
    // Two states alternate and gain 1 per round, so that changes differ in every sweep.
    rows = chain_to_end(states);
    rows[2] = {{2, 1, -1}};
    rows[5] = {{1, 1, 2}};
    expect_endless(two_action_process<double>(rows), {1, 2});
    expect_endless(two_action_process<float>(rows), {1, 2});
  }
}

TEST(SolveProcess, ReportsStatesThatGainWithoutEndOnADevice) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const std::int32_t states : {5, 20'000}) {
    SCOPED_TRACE(states);
    auto rows = chain_to_end(states);
    rows[7] = {{3, 1, 1}};
    expect_endless(two_action_process<double>(rows), {3}, device_methods());
    expect_endless(two_action_process<float>(rows), {3}, device_methods());
    rows = chain_to_end(states);
    rows[2] = {{2, 1, -1}};
    rows[5] = {{1, 1, 2}};
    expect_endless(two_action_process<double>(rows), {1, 2}, device_methods());
  }
}

TEST(SolveProcess, FindsALongGainingLoop) {
  // All states except the last in one loop, which gains 1 per round of 20000 steps.
  constexpr std::int32_t states = 20'000;
  std::vector<std::vector<Transition>> rows(std::size_t(states) * 2);
  std::vector<std::int32_t> loop_states(states - 1);
  std::iota(loop_states.begin(), loop_states.end(), 0);
  for (const std::int32_t s : loop_states) {
    rows[std::size_t(s) * 2] = {{(s + 1) % (states - 1), 1, s == 7 ? 1.0 : 0.0}};
    rows[std::size_t(s) * 2 + 1] = {{states - 1, 1, -1}};
  }
  expect_endless(two_action_process<double>(rows), loop_states);
}

TEST(SolveProcess, WaitsForLongProcesses) {
  // Values rise for as many sweeps as there are states; a loop without gain is harmless.
  auto rows = chain_to_end(3000);
  rows[5996] = {{2999, 1, 5000}};
  rows[3] = {{0, 1, 1}};
  const auto process = two_action_process<double>(rows);
  SilentProgress progress;
  for (const SolvingMethod& host_method : host_methods()) {
    SCOPED_TRACE(host_method.name);
    const auto solution = solve_process(process, host_method.options, progress);
    EXPECT_TRUE(solution.converged);
    EXPECT_TRUE(solution.endless.empty());
    EXPECT_DOUBLE_EQ(solution.value[0], 5000 - 2998);
  }
}

TEST(SolveProcess, FindsAPolicyThatEndsIfStayingTies) {
  // Action 0 stays at no cost, action 1 leads on; the last step has a reward of 10.
  std::vector<std::vector<Transition>> rows{{{0, 1, 0}},  {{1, 1, 0}}, {{1, 1, 0}},
                                            {{2, 1, 10}}, {},          {}};
  const auto process = two_action_process<double>(rows);
  SilentProgress progress;
  for (const SolvingMethod& host_method : host_methods()) {
    SCOPED_TRACE(host_method.name);
    const auto solution = solve_process(process, host_method.options, progress);
    EXPECT_TRUE(solution.converged);
    EXPECT_THAT(solution.value, testing::ElementsAre(10, 10, 0));
    EXPECT_THAT(solution.action, testing::ElementsAre(1, 1, -1));
  }
}

TEST(SolveProcess, FindsStepsExactlyExceptForRounding) {
  SilentProgress progress;
  const auto process = test::make_process<float>({.seed = 4, .discount = 1.0});
  SolveOptions options(SolverOptions{.method = Method::backward, .threads = 2, .horizon = 30});
  const auto exact =
      solve_process(test::make_process<double>({.seed = 4, .discount = 1.0}), options, progress);
  EXPECT_EQ(exact.residual, 0);
  EXPECT_EQ(exact.bounds.error(), 0);
  EXPECT_LT(exact.rounding, 1e-9);
  for (const auto layout : {FusedLayout::automatic, FusedLayout::rows, FusedLayout::packed}) {
    options.layout = layout;
    const auto rounded = solve_process(process, options, progress);
    EXPECT_EQ(rounded.residual, 0);
    for (std::size_t s = 0; s < exact.value.size(); ++s) {
      EXPECT_NEAR(double(rounded.value[s]), exact.value[s], rounded.rounding);
    }
  }
}

TEST(SolveProcess, RefusesOptionsThatCannotBeCombined) {
  SilentProgress progress;
  const auto process = test::four_cell_world<double>();
  const auto expect_refusal = [&](const SolveOptions& options, const char* code) {
    try {
      (void)solve_process(process, options, progress);
      ADD_FAILURE() << "nothing was refused: " << code;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), test::has_code_of(code));
    }
  };
  SolveOptions sliced;
  sliced.layout = FusedLayout::sell;
  expect_refusal(sliced, "[layout_sliced_without_gpu]");
  const auto with_evaluator = [](Evaluator evaluator, BackendChoice backend = BackendChoice::cpu) {
    SolveOptions options({.method = Method::policy_iteration, .backend = backend});
    options.evaluator = evaluator;
    return options;
  };
  expect_refusal(SolveOptions({.method = Method::fused, .tolerance = 0}), "[tolerance_invalid]");
  expect_refusal(SolveOptions({.method = Method::fused, .tolerance = NAN}), "[tolerance_invalid]");
  expect_refusal(SolveOptions({.method = Method::fused, .tolerance = INFINITY}),
                 "[tolerance_invalid]");
  expect_refusal(SolveOptions({.method = Method::backward}), "[horizon_missing]");
  expect_refusal(with_evaluator(Evaluator::cusparse), "cusparse [evaluator_without_gpu]");
  expect_refusal(with_evaluator(Evaluator::serial, BackendChoice::cuda),
                 "[evaluator_serial_on_gpu]");
  expect_refusal(SolveOptions({.method = Method::fused, .stop = StoppingRule::policy}),
                 "fused [stop_policy_of_other_method]");
  SolveOptions stable({.method = Method::policy_iteration, .stop = StoppingRule::policy});
  auto endless = process;
  endless.discount = 1;
  EXPECT_THAT([&] { (void)solve_process(endless, stable, progress); },
              testing::ThrowsMessage<InputError>(test::has_code("stop_policy_without_discount")));
}

/// Far from the goal most actions are equally good within the tolerance.
TEST(SolveProcess, GivesEqualPoliciesForEqualValues) {
  const auto process = make_gridworld<double>(slip_world(100, 80, 0.1), 1);
  SilentProgress silent;
  std::vector<SolvingMethod> methods = host_methods();
  methods.push_back(make_solving_method("inexact", Method::inexact_policy_iteration));
  methods.push_back(make_solving_method("stable_policy", Method::policy_iteration));
  methods.back().options.stop = StoppingRule::policy;
  ProcessSolution<double> first;
  for (const SolvingMethod& method : methods) {
    const auto solution = solve_process(process, method.options, silent);
    EXPECT_TRUE(solution.converged) << method.name;
    if (first.value.empty()) first = solution;
    EXPECT_GE(compare_solutions(first, solution).same_share(), 0.98) << method.name;
    // The policy has the lowest of the actions whose shortfall per step is within 1 − γ tolerances.
    const double tie = (1 - process.discount) * method.options.tolerance;
    const auto q = find_action_values(process, solution.value, 1);
    for (std::int32_t s = 0; s < process.state_count; ++s) {
      if (process.is_terminal(s)) continue;
      const auto* const state_q = q.data() + std::size_t(process.row(s, 0));
      const double best = *std::max_element(state_q, state_q + 4);
      const auto* const lowest = std::find_if(
          state_q, state_q + 4, [&](double action_q) { return action_q >= best - tie; });
      EXPECT_NEAR(state_q[solution.action[std::size_t(s)]], *lowest, 1e-12) << method.name;
      EXPECT_GE(state_q[solution.action[std::size_t(s)]], best - tie - 1e-12) << method.name;
    }
  }
}

TEST(SolveProcess, LosesNoMoreThanTheToleranceByTies) {
  auto process = make_gridworld<double>(slip_world(30, 30, 0.1), 1);
  process.discount = 0.99;
  SilentProgress silent;
  const SolveOptions options({.method = Method::value_iteration, .tolerance = 0.1});
  const auto solution = solve_process(process, options, silent);
  const auto achieved = test::value_of_policy(process, solution.action);
  const auto optimum = test::reference_values(process);
  for (std::size_t s = 0; s < optimum.size(); ++s) {
    EXPECT_GE(achieved[s], optimum[s] - 3 * options.tolerance) << s;
  }
}

TEST(SolutionComparison, CountsActionsAndMeasuresValues) {
  ProcessSolution<double> a;
  a.value = {1, 2, -INFINITY, 4};
  a.action = {0, 1, -1, 2};
  ProcessSolution<double> b = a;
  b.value = {1, 2.5, -INFINITY, 3};
  b.action = {0, 2, -1, 2};
  const SolutionComparison comparison = compare_solutions(a, b);
  EXPECT_EQ(comparison.states, 4);
  EXPECT_EQ(comparison.same_actions, 3);
  EXPECT_EQ(comparison.same_share(), 0.75);
  EXPECT_EQ(comparison.greatest_difference, 1);
  EXPECT_EQ(comparison.state_of_greatest, 3);
  EXPECT_EQ(comparison.mean_difference, 1.5 / 4);
}

TEST(SolveProcess, RefusesEvaluatorsOfOtherMethods) {
  const auto process = test::four_cell_world<double>();
  SilentProgress silent;
  const auto solve = [&](Method method, Evaluator evaluator) {
    SolveOptions options;
    options.method = method;
    options.evaluator = evaluator;
    return solve_process(process, options, silent);
  };
  for (const Evaluator evaluator : {Evaluator::sweeps, Evaluator::krylov, Evaluator::cuda}) {
    EXPECT_THROW(solve(Method::policy_iteration, evaluator), InputError);
  }
  EXPECT_THROW(solve(Method::inexact_policy_iteration, Evaluator::serial), InputError);
  EXPECT_TRUE(solve(Method::policy_iteration, Evaluator::automatic).converged);
  EXPECT_TRUE(solve(Method::inexact_policy_iteration, Evaluator::krylov).converged);
}

TEST(SolveProcess, UsesOneThreadForFewEntries) {
  SolveOptions options;
  options.threads = 8;
  EXPECT_EQ(worthwhile_threads(0, options), 1);
  EXPECT_EQ(worthwhile_threads(8'040, options), 1);
  EXPECT_GT(worthwhile_threads(300'000, options), 1);
  EXPECT_EQ(worthwhile_threads(100'000'000, options), 8);
  options.method = Method::q_learning;
  EXPECT_EQ(worthwhile_threads(10, options), 8);
}

TEST(SolveProcess, ReportsTheTrueErrorNotTheTolerance) {
  // Values of thousands in single precision: no method can compute them to 1e-4, whatever its last
  // sweep changed.
  SilentProgress progress;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    auto process = test::make_process<float>({.seed = seed, .states = 300, .discount = 0.99});
    for (float& reward : process.reward) reward = 100 + 10 * reward;
    process.entry_reward.clear();
    const auto optimum = test::reference_values(process);
    for (const SolvingMethod& host_method : host_methods()) {
      SCOPED_TRACE(host_method.name);
      const auto solution = solve_process(process, host_method.options, progress);
      EXPECT_GT(solution.bounds.error(), host_method.options.tolerance);
      EXPECT_EQ(solution.outcome, Outcome::limited_by_rounding);
      EXPECT_FALSE(solution.converged);
      for (std::size_t s = 0; s < optimum.size(); ++s) {
        const double error = optimum[s] - double(solution.value[s]);
        EXPECT_GE(error, solution.bounds.lower - 1e-9);
        EXPECT_LE(error, solution.bounds.upper + 1e-9);
      }
    }
  }
}

TEST(SolveProcess, GivesUpAtTheSweepLimit) {
  SilentProgress progress;
  for (SolvingMethod& host_method : host_methods()) {
    SCOPED_TRACE(host_method.name);
    host_method.options.max_sweeps = 3;
    host_method.options.tolerance = 1e-12;
    const auto process = test::make_process<double>({.seed = 5, .discount = 0.999});
    const auto solution = solve_process(process, host_method.options, progress);
    EXPECT_FALSE(solution.converged);
    EXPECT_GT(solution.residual, 1e-6);
  }
}

TEST(SolveProcess, MinimizesCostsAsNegatedRewards) {
  SilentProgress progress;
  auto process = test::make_process<double>({.seed = 8});
  const auto max = solve_process(process, make_solving_method("", Method::fused).options, progress);
  negate_rewards(process);
  const auto expected = test::reference_values(process);
  auto min = solve_process(process, make_solving_method("", Method::fused).options, progress);
  for (std::size_t s = 0; s < expected.size(); ++s) EXPECT_NEAR(min.value[s], expected[s], 1e-4);
  negate_rewards(min);
  for (std::size_t s = 0; s < expected.size(); ++s) EXPECT_LE(min.value[s], max.value[s] + 2e-4);
}

}  // namespace
}  // namespace tidewise::mdp
