// The library's public interface (include/tidewise/process.h).
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"
#include "mdp/methods/table.h"
#include "mdp/process/borrowable_array.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"
#include "tidewise/process.h"

namespace tidewise::mdp {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::Not;
using testing::Pointwise;
using testing::ThrowsMessage;

/// State 0 stays with a reward of 1, or leaves with a reward of 4 to state 1, which is terminal
/// with value 10.
ProcessArrays stay_or_leave(double discount) {
  ProcessArrays arrays;
  arrays.state_count = 2;
  arrays.action_count = 2;
  arrays.row_begin = {0, 1, 2, 2, 2};
  arrays.successor = {0, 1};
  arrays.probability = {1, 1};
  arrays.reward = {1, 4, 0, 0};
  arrays.initial_value = {0, 10};
  arrays.discount = discount;
  return arrays;
}

/// Returns a walk to the last of `cells`. A step costs 1 and succeeds with probability 1/2.
ProcessArrays walk(std::int32_t cells, double discount) {
  ProcessArrays arrays;
  arrays.state_count = cells;
  arrays.action_count = 1;
  arrays.row_begin = {0};
  for (std::int32_t cell = 0; cell < cells; ++cell) {
    if (cell + 1 < cells) {
      arrays.successor.insert(arrays.successor.end(), {cell, cell + 1});
      arrays.probability.insert(arrays.probability.end(), {0.5, 0.5});
    }
    arrays.row_begin.push_back(std::int64_t(arrays.successor.size()));
    arrays.reward.push_back(cell + 1 < cells ? -1 : 0);
  }
  arrays.discount = discount;
  return arrays;
}

/// Records the number of reported sweeps, and interrupts at `max`.
struct SweepRecorder final : Progress {
  std::int64_t done = 0;
  std::int64_t max = 1'000'000;

  void begin(std::string_view, std::int64_t, std::string_view) override {}
  void advance_to(std::int64_t sweeps) override {
    done = sweeps;
    if (sweeps == max) throw std::domain_error("enough");
  }
  void end() override {}
};

SolverOptions options_for(Method method, double tolerance = 1e-9) {
  SolverOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.threads = 1;
  return options;
}

TEST(Library, ComputesActionValues) {
  const Process process(stay_or_leave(0.5));
  const Solution solution = solve(process, options_for(Method::value_iteration));
  EXPECT_THAT(solution.value, ElementsAre(DoubleNear(9, 1e-9), 10));  // 4 + 10 / 2
  const std::vector<double> q = action_values(process, solution.value, 1);
  EXPECT_THAT(q[0], DoubleNear(5.5, 1e-9));  // 1 + 9 / 2
  EXPECT_EQ(q[1], 9);
  EXPECT_TRUE(std::isnan(q[2]));  // a terminal state has no actions
  EXPECT_TRUE(std::isnan(q[3]));
  EXPECT_THAT([&] { (void)action_values(process, std::vector<double>(3)); },
              ThrowsMessage<InputError>(test::has_code("first_values_count", "values")));
}

TEST(Library, BoundsTheValueOfEachState) {
  for (const double discount : {0.9, 1.0}) {
    const Process process(walk(40, discount));
    const Solution solution = solve(process, options_for(Method::automatic, 1e-3));
    ASSERT_TRUE(solution.converged);
    EXPECT_GE(solution.lower, -1e-3);
    EXPECT_LE(solution.upper, 1e-3);
    double exact = 0;  // V = −1 + γ (V + V') / 2
    for (int cell = 38; cell >= 0; --cell) {
      exact = (discount / 2 * exact - 1) / (1 - discount / 2);
      const auto index = std::size_t(cell);
      EXPECT_LE(solution.min_value[index], exact + 1e-12) << cell;
      EXPECT_GE(solution.max_value[index], exact - 1e-12) << cell;
      EXPECT_LE(solution.max_value[index] - solution.min_value[index], 2.1e-3);
    }
    EXPECT_EQ(solution.min_value[39], 0);
    EXPECT_EQ(solution.max_value[39], 0);
  }
}

TEST(Library, SolvesTheOtherStatesNextToInfiniteValues) {
  // State 0 leaves with a reward of 4 to state 1, of value 10; state 2 stays for ever and loses 1.
  ProcessArrays arrays;
  arrays.state_count = 3;
  arrays.action_count = 1;
  arrays.row_begin = {0, 1, 1, 2};
  arrays.successor = {1, 2};
  arrays.probability = {1, 1};
  arrays.reward = {4, 0, -1};
  arrays.initial_value = {0, 10, 0};
  arrays.discount = 1;
  const Process process(arrays);
  EXPECT_THAT([&] { (void)solve(process); },
              ThrowsMessage<InputError>(test::has_code("states_without_end")));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Endings endings : {Endings::sure, Endings::free}) {
    SolverOptions options = options_for(Method::automatic);
    options.endings = endings;
    const Solution solution = solve(process, options);
    EXPECT_TRUE(solution.converged);
    EXPECT_THAT(solution.value, ElementsAre(14, 10, -infinity));
    EXPECT_THAT(solution.policy, ElementsAre(0, -1, -1));
    EXPECT_THAT(solution.min_value, ElementsAre(Le(14), 10, -infinity));
    EXPECT_THAT(solution.max_value, ElementsAre(Ge(14), 10, -infinity));
    EXPECT_THAT(action_values(process, solution.value)[2], -infinity);
    options.first_value = solution.value;
    EXPECT_EQ(solve(process, options).value, solution.value);
  }
}

TEST(Library, BoundsProbabilitiesByOne) {
  // Each state reaches state 3 with probability 1, by thirds and tenths, which doubles cannot
  // represent.
  ProcessArrays arrays;
  arrays.state_count = 4;
  arrays.action_count = 1;
  arrays.row_begin = {0, 3, 6, 9, 9};
  arrays.successor = {0, 1, 3, 0, 1, 2, 1, 2, 3};
  arrays.probability = {0.1, 0.2, 0.7, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0.3, 0.6, 0.1};
  arrays.reward = {0, 0, 0, 0};
  arrays.initial_value = {0, 0, 0, 1};
  for (const double discount : {1.0, 0.999999}) {
    arrays.discount = discount;
    const Process process(arrays);
    for (const Method method : {Method::automatic, Method::value_iteration, Method::fused,
                                Method::policy_iteration, Method::backward}) {
      SolverOptions options = options_for(method, 1e-4);
      if (method == Method::backward) options.horizon = 1000;
      const Solution solution = solve(process, options);
      EXPECT_THAT(solution.value, testing::Each(testing::AllOf(Ge(0), Le(1))));
      EXPECT_THAT(solution.max_value, testing::Each(Le(1)));
      EXPECT_THAT(solution.min_value, testing::Each(Ge(0)));
    }
  }
}

TEST(Library, RecordsEverySweep) {
  SolverOptions options = options_for(Method::value_iteration, 1e-6);
  const Process process(walk(30, 0.8));
  EXPECT_THAT(solve(process, options).history, IsEmpty());
  options.keeps_history = true;
  const Solution solution = solve(process, options);
  ASSERT_EQ(std::int64_t(solution.history.size()), solution.sweeps);
  for (std::size_t n = 0; n < solution.history.size(); ++n) {
    EXPECT_EQ(solution.history[n].sweeps, std::int64_t(n + 1));
  }
  EXPECT_EQ(solution.history.front().residual, 1);  // from 0 to −1
  EXPECT_LE(solution.history.back().error, 1e-6);
  EXPECT_GT(solution.history[solution.history.size() - 2].error, 1e-6);
}

TEST(Library, RecordsSweepsOfEveryCpuMethod) {
  const Process process(walk(30, 0.8));
  for (const MethodRow& row : method_rows()) {
    if (row.method == Method::automatic || !row.has_fixed_point) continue;
    SolverOptions options = options_for(row.method, 1e-6);
    options.keeps_history = true;
    SweepRecorder recorder;
    const Solution solution = solve(process, options, &recorder);
    ASSERT_THAT(solution.history, Not(IsEmpty())) << solution.method;
    EXPECT_LE(solution.history.back().error, 1e-6) << solution.method;
    EXPECT_EQ(solution.history.back().sweeps, solution.sweeps) << solution.method;
    EXPECT_EQ(recorder.done, solution.sweeps) << solution.method;
    EXPECT_EQ(solution.method, row.name);
  }
}

TEST(Library, StartsFromTheInitialGuess) {
  const Process process(walk(200, 0.95));
  SolverOptions options = options_for(Method::value_iteration, 1e-6);
  const Solution cold = solve(process, options);
  options.first_value = cold.value;
  const Solution warm = solve(process, options);
  EXPECT_LT(5 * warm.sweeps, cold.sweeps);
  EXPECT_THAT(warm.value, Pointwise(DoubleNear(2e-6), cold.value));
  options.first_value.back() = 77;  // terminal states keep their value
  EXPECT_EQ(solve(process, options).value.back(), 0);
  options.first_value.front() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { (void)solve(process, options); },
              ThrowsMessage<InputError>(test::has_code("first_value_not_finite")));
  options.first_value.resize(3);
  EXPECT_THAT([&] { (void)solve(process, options); },
              ThrowsMessage<InputError>(test::has_code("first_values_count")));
}

TEST(Library, FindsTheOptimumFromAnyInitialGuess) {
  const Process process(walk(20, 1));
  SolverOptions options = options_for(Method::automatic);
  options.first_value.assign(20, 50);  // far above the optimum
  const Solution solution = solve(process, options);
  EXPECT_NEAR(solution.value[0], -38, 1e-8);  // two tries per cell
  EXPECT_LE(solution.min_value[0], -38);
  EXPECT_GE(solution.max_value[0], -38);
}

TEST(Library, MinimizesCosts) {
  ProcessArrays arrays = stay_or_leave(0.5);
  arrays.direction = Direction::minimize;
  const Process process(arrays);
  EXPECT_EQ(process.direction(), Direction::minimize);
  EXPECT_EQ(process.reward(), arrays.reward);
  const Solution solution = solve(process, options_for(Method::value_iteration));
  EXPECT_THAT(solution.value, ElementsAre(DoubleNear(2, 1e-9), 10));  // stays: 1 / (1 − γ)
  EXPECT_EQ(solution.policy[0], 0);
  EXPECT_THAT(solution.min_value[0], Le(2));
  EXPECT_THAT(solution.max_value[0], Ge(2));
  const std::vector<double> q = action_values(process, solution.value);
  EXPECT_NEAR(q[0], 2, 1e-9);
  EXPECT_EQ(q[1], 9);
}

TEST(Library, KeepsEveryStep) {
  SolverOptions options = options_for(Method::backward);
  options.horizon = 3;
  options.keeps_steps = true;
  options.first_value = {6, 0};  // values after the last step
  ProcessArrays arrays = stay_or_leave(1);
  arrays.initial_value = {0, 2};
  const Solution solution = solve(Process(arrays), options);
  // With one step to go, staying yields 1 + 6 and leaving 4 + 2.
  EXPECT_THAT(solution.step_value, ElementsAre(9, 2, 8, 2, 7, 2));
  EXPECT_THAT(solution.step_policy, ElementsAre(0, -1, 0, -1, 0, -1));
  EXPECT_EQ(solution.value, (std::vector<double>{9, 2}));
  options.method = Method::automatic;
  EXPECT_EQ(solve(Process(arrays), options).method, "backward");
  options.method = Method::fused;
  EXPECT_THAT([&] { (void)solve(Process(arrays), options); },
              ThrowsMessage<InputError>(test::has_code("horizon_not_taken")));
}

TEST(Library, ReportsWhyItDidNotConverge) {
  SolverOptions options = options_for(Method::value_iteration);
  options.max_sweeps = 5;
  const Solution solution = solve(Process(walk(30, 0.9)), options);
  EXPECT_FALSE(solution.converged);
  EXPECT_THAT(solution.shortfall,
              AllOf(HasSubstr("value-iteration did not converge"), HasSubstr("after 5 sweeps")));
  // Known bounds are still valid.
  EXPECT_LE(solution.min_value[29], solution.value[29]);
  EXPECT_TRUE(std::isfinite(solution.upper));
  EXPECT_EQ(solve(Process(walk(30, 0.9)), options_for(Method::fused)).shortfall, "");
}

TEST(Library, EndsWhenProgressThrows) {
  SweepRecorder recorder;
  recorder.max = 7;
  EXPECT_THROW(
      (void)solve(Process(walk(100, 0.99)), options_for(Method::value_iteration), &recorder),
      std::domain_error);
  EXPECT_EQ(recorder.done, 7);
}

TEST(Library, ReadsBorrowedArraysInPlace) {
  auto owner = std::make_shared<ProcessArrays>(walk(50, 0.9));
  const std::weak_ptr<ProcessArrays> owner_watch = owner;
  {
    const Process process(ProcessViews{owner->state_count,
                                       owner->action_count,
                                       owner->row_begin,
                                       owner->successor,
                                       owner->probability,
                                       owner->reward,
                                       {},
                                       0.9,
                                       Direction::maximize,
                                       owner});
    EXPECT_EQ(process.probability().data(), owner->probability.data());
    EXPECT_EQ(process.successor().data(), owner->successor.data());
    ProcessArrays* const arrays = owner.get();
    owner.reset();
    EXPECT_FALSE(owner_watch.expired());
    EXPECT_EQ(solve(process, options_for(Method::fused)).value,
              solve(Process(walk(50, 0.9)), options_for(Method::fused)).value);
    // A change is detected before the arrays are used.
    arrays->successor[3] = 1 << 30;
    EXPECT_THAT([&] { (void)solve(process); }, ThrowsMessage<InputError>(test::has_code(
                                                   "row_invalid", "it leads to state 1073741824")));
  }
  EXPECT_TRUE(owner_watch.expired());
  EXPECT_THAT([] { const Process process{ProcessViews{}}; },
              ThrowsMessage<InputError>(test::has_code("arrays_without_owner")));
}

TEST(Library, ReadsWithTargetAndGoal) {
  const test::TemporaryFolder folder;
  // From 0 a coin decides between done and lost; waiting postpones it.
  std::ofstream(folder.path() / "coin.json") << R"({"S":3,"A":2,"labels":{"done":[1]},
"P":{"indptr":[0,2,3,4,4,5,5],"indices":[1,2,0,1,2],"data":[0.5,0.5,1,1,1]}})";
  const auto value_of = [&](const ReadRequest& request) {
    return solve(Process::read(folder.path() / "coin.json", request),
                 options_for(Method::automatic))
        .value[0];
  };
  EXPECT_NEAR(value_of({{}, "done", Goal::probability}), 0.5, 1e-9);
  EXPECT_EQ(value_of({{}, "done", Goal::probability, Direction::minimize}), 0);  // waits for ever
  EXPECT_THAT(
      [&] {
        (void)value_of({{}, "", Goal::probability});
      },
      ThrowsMessage<InputError>(test::has_code("probability_without_target")));
}

TEST(Library, StoresRewardsButNoDirection) {
  const test::TemporaryFolder folder;
  ProcessArrays arrays = stay_or_leave(0.5);
  arrays.direction = Direction::minimize;
  Process(arrays).write(folder.path() / "costs.h5");
  const Process read = Process::read(folder.path() / "costs.h5");
  EXPECT_EQ(read.direction(), Direction::maximize);  // the default; the file has no direction
  EXPECT_EQ(read.reward(), arrays.reward);
  EXPECT_EQ(read.transition_count(), 2);
  EXPECT_THAT([&] { read.write(folder.path() / "costs.doc"); },
              ThrowsMessage<InputError>(test::has_code("process_ending_unknown", "costs.doc")));
}

TEST(Library, NamesItsMethods) {
  EXPECT_EQ(method_of("auto"), Method::automatic);
  EXPECT_EQ(method_of("gauss-seidel"), Method::gauss_seidel);
  for (const MethodRow& row : method_rows()) {
    EXPECT_EQ(name_of(row.method), row.name);
    EXPECT_EQ(method_of(row.name), row.method);
  }
  EXPECT_THAT([] { (void)method_of("simplex"); },
              ThrowsMessage<InputError>(
                  AllOf(test::has_code("choice_unknown", "simplex"), HasSubstr("fused"))));
}

TEST(Library, AcceptsEveryMethodVariantAndPrecision) {
  const Process process(walk(40, 0.9));
  const std::vector<double> optimum = solve(process, options_for(Method::policy_iteration)).value;
  const auto expect_optimum = [&](const SolverOptions& options, double error) {
    const Solution solution = solve(process, options);
    EXPECT_TRUE(solution.converged) << solution.shortfall;
    EXPECT_THAT(solution.value, Pointwise(DoubleNear(error), optimum)) << solution.method;
  };
  for (const BlockVariant variant : {BlockVariant::plain, BlockVariant::buffering,
                                     BlockVariant::prioritising, BlockVariant::both}) {
    SolverOptions options = options_for(Method::block_divided);
    options.blocks = {.variant = variant, .states = 7};
    expect_optimum(options, 1e-8);
  }
  for (const Evaluator evaluator : {Evaluator::sweeps, Evaluator::krylov}) {
    SolverOptions options = options_for(Method::inexact_policy_iteration);
    options.evaluator = evaluator;
    expect_optimum(options, 1e-8);
  }
  SolverOptions single = options_for(Method::fused, 1e-3);
  single.precision = Precision::float32;
  expect_optimum(single, 2e-3);
  SolverOptions learning = options_for(Method::q_learning);
  learning.q_learning = {.agents = 64, .steps = 20'000, .seed = 3};
  expect_optimum(learning, 0.5);
  EXPECT_EQ(solve(process, learning).value, solve(process, learning).value);
  single.keeps_steps = true;
  EXPECT_THAT([&] { (void)solve(process, single); },
              ThrowsMessage<InputError>(test::has_code("steps_kept_in_double")));
}

TEST(BorrowableArray, CopiesBorrowedValuesBeforeAChange) {
  const auto owner = std::make_shared<std::vector<int>>(std::vector<int>{1, 2, 3});
  BorrowableArray<int> borrowed(View<const int>(*owner), owner);
  const BorrowableArray<int> copy = borrowed;
  EXPECT_TRUE(borrowed.is_borrowed());
  EXPECT_EQ(std::as_const(borrowed).data(), owner->data());
  borrowed.push_back(4);
  EXPECT_FALSE(borrowed.is_borrowed());
  EXPECT_THAT(borrowed, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(*owner, ElementsAre(1, 2, 3));
  EXPECT_EQ(copy.data(), owner->data());
  EXPECT_EQ(owner.use_count(), 2);
}

}  // namespace
}  // namespace tidewise::mdp
