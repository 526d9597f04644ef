#include "solver/mdp/solve_process.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "solver/mdp/direction.h"
#include "solver/mdp/propriety.h"
#include "solver/mdp/row_writer.h"
#include "solver/sparse_product.h"
#include "support/device.h"
#include "support/process_cases.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

/// A way to solve, as the command line would ask for it.
struct Way {
  std::string name;
  SolveOptions options;
};

/// For GoogleTest, which would print its bytes.
void PrintTo(const Way& way, std::ostream* stream) { *stream << way.name; }

Way way(const std::string& name, SolveMethod method) {
  Way way{name, {}};
  way.options.method = method;
  way.options.threads = 2;
  way.options.tolerance = 4e-5;
  return way;
}

/// Everything that finds the optimum of any process, on the host.
std::vector<Way> host_ways() {
  std::vector<Way> ways{way("value_iteration", SolveMethod::value_iteration),
                        way("gauss_seidel", SolveMethod::gauss_seidel),
                        way("result_divided", SolveMethod::result_divided),
                        way("policy_iteration", SolveMethod::policy_iteration)};
  for (const auto variant :
       {BlockVariant::plain, BlockVariant::buffering, BlockVariant::prioritising}) {
    ways.push_back(
        way("block_divided_" + std::to_string(int(variant)), SolveMethod::block_divided));
    ways.back().options.block_variant = variant;
    ways.back().options.block_states = 64;
  }
  for (const auto layout : {FusedLayout::rows, FusedLayout::sliced, FusedLayout::packed}) {
    ways.push_back(way("fused_" + std::to_string(int(layout)), SolveMethod::fused));
    ways.back().options.layout = layout;
  }
  return ways;
}

std::vector<Way> device_ways() {
  std::vector<Way> ways = host_ways();
  std::erase_if(ways, [](const Way& one) { return one.name == "gauss_seidel"; });
  for (Way& one : ways) {
    one.name += "_on_device";
    one.options.compute_on = ComputeOn::device;
    one.options.evaluator = Evaluator::cuda;
  }
  if (has_sparse_product()) {
    ways.push_back(way("cusparse_on_device", SolveMethod::policy_iteration));
    ways.back().options.compute_on = ComputeOn::device;
    ways.back().options.evaluator = Evaluator::cusparse;
  }
  return ways;
}

std::vector<Way> all_ways() {
  std::vector<Way> ways = host_ways();
  for (Way& one : device_ways()) ways.push_back(one);
  return ways;
}

/// One that comes to an end by any policy, whatever its rewards: each action ends with `leak` in a
/// hundred.
DecisionProcess<double> leaky_process(std::uint64_t seed, int leak) {
  auto process = test::make_process<double>({.seed = seed, .states = 200, .discount = 1.0});
  RowWriter<double> writer(process.state_count, process.action_count);
  const double kept = 1 - 0.01 * leak;
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    std::vector<Transition> transitions;
    for (auto n = process.row_begin[std::size_t(row)]; n < process.row_begin[std::size_t(row) + 1];
         ++n) {
      transitions.push_back(
          {process.successor[std::size_t(n)], kept * process.probability[std::size_t(n)], 0});
    }
    if (!transitions.empty()) transitions.push_back({process.state_count - 1, 1 - kept, 0});
    EXPECT_EQ(writer.add_row(transitions, process.reward[std::size_t(row)]), "");
  }
  return writer.finish();
}

class EveryMethod : public testing::TestWithParam<Way> {
 protected:
  template <class Real>
  void meets(const DecisionProcess<Real>& process, const std::vector<double>& optimum) const {
    SilentProgress progress;
    const ProcessSolution<Real> solution = solve_process(process, GetParam().options, progress);
    EXPECT_TRUE(solution.converged);
    ASSERT_EQ(solution.value.size(), optimum.size());
    double worst = 0;
    for (std::size_t s = 0; s < optimum.size(); ++s) {
      worst = std::max(worst, std::abs(double(solution.value[s]) - optimum[s]));
    }
    EXPECT_LT(worst, 1e-4);
    EXPECT_LT(solution.residual, 1e-4);
    if (process.discount < 1) {
      EXPECT_LE(worst, solution.bounds.error() + solution.rounding + 1e-12);
    }
    EXPECT_GT(solution.sweeps, 0);
    EXPECT_TRUE(test::is_greedy(process, optimum, solution.action, 1e-4));
  }
  bool on_device() const { return GetParam().options.compute_on == ComputeOn::device; }
};

TEST_P(EveryMethod, SolvesTheWorldsByHand) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  meets(test::four_cell_world<double>(), {8, 10, 10, 0});
  meets(test::four_cell_world<float>(), {8, 10, 10, 0});
  const auto three = test::three_state_process<double>();
  meets(three, test::reference_values(three));
}

TEST_P(EveryMethod, AgreesOnRandomProcesses) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const double discount : {0.0, 0.7, 0.95}) {
      for (const bool local : {false, true}) {
        SCOPED_TRACE(testing::Message() << seed << ", " << discount << ", " << local);
        const test::RandomProcess wanted{.seed = seed,
                                         .states = 333,
                                         .actions = 5,
                                         .successors = 7,
                                         .discount = discount,
                                         .local = local};
        const auto exact = test::make_process<double>(wanted);
        const auto optimum = test::reference_values(exact);
        meets(exact, optimum);
        meets(test::make_process<float>(wanted), optimum);
      }
    }
  }
}

TEST_P(EveryMethod, NeedsNoDiscountWhereAllComesToAnEnd) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  const auto process = leaky_process(9, 1);
  meets(process, test::reference_values(process));
}

TEST_P(EveryMethod, NeedsNoDiscountWhereGoingOnCosts) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  // Some policies never end, and lose for ever.
  auto process = test::make_process<double>({.seed = 9, .states = 200, .discount = 1.0});
  for (double& reward : process.reward) reward = -0.1 - std::abs(reward);
  process.entry_reward.clear();
  ASSERT_TRUE(judge_propriety(process).improper.empty());
  meets(process, test::reference_values(process));
}

TEST_P(EveryMethod, SolvesOneStateAndOneAction) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  RowWriter<double> writer(1, 1);
  std::vector<Transition> row{{0, 1, 0}};
  ASSERT_EQ(writer.add_row(row, 2), "");
  auto process = writer.finish();
  process.discount = 0.75;
  meets(process, {8});
}

TEST_P(EveryMethod, LeavesStatesWithoutActionsAsTheyAre) {
  if (on_device()) TIDEWISE_REQUIRE_DEVICE();
  auto process = RowWriter<double>(5, 3).finish();
  process.discount = 0.9;
  process.initial_value = {1, -2, 3, 0, 7};
  meets(process, {1, -2, 3, 0, 7});
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, testing::ValuesIn(all_ways()),
                         [](const auto& tried) { return tried.param.name; });

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

TEST(SolveProcess, RefusesWhatNeverEndsWithoutDiscount) {
  SilentProgress progress;
  for (const Way& one : host_ways()) {
    SCOPED_TRACE(one.name);
    try {
      (void)solve_process(ring<double>(6, false), one.options, progress);
      FAIL() << "nothing was refused";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("from 5 of 6 states, such as state 0, no policy"));
    }
    const auto solution = solve_process(ring<double>(6, true), one.options, progress);
    EXPECT_TRUE(solution.converged);
    EXPECT_DOUBLE_EQ(solution.value[1], -5);  // four steps to state 0, and out
  }
}

TEST(SolveProcess, RefusesOptionsThatDoNotGoTogether) {
  SilentProgress progress;
  const auto process = test::four_cell_world<double>();
  const auto refused = [&](SolveOptions options, const char* words) {
    try {
      (void)solve_process(process, options, progress);
      ADD_FAILURE() << "nothing was refused: " << words;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  };
  refused({.tolerance = 0}, "the tolerance is 0");
  refused({.tolerance = NAN}, "the tolerance is nan");
  refused({.method = SolveMethod::backward}, "--horizon");
  refused({.method = SolveMethod::policy_iteration, .evaluator = Evaluator::cusparse},
          "is for a GPU");
  refused({.method = SolveMethod::policy_iteration, .compute_on = ComputeOn::device},
          "is for the processor");
}

TEST(SolveProcess, GivesUpWhereToldTo) {
  SilentProgress progress;
  for (Way& one : host_ways()) {
    SCOPED_TRACE(one.name);
    one.options.most_sweeps = 3;
    one.options.tolerance = 1e-12;
    const auto process = test::make_process<double>({.seed = 5, .discount = 0.999});
    const auto solution = solve_process(process, one.options, progress);
    EXPECT_FALSE(solution.converged);
    EXPECT_GT(solution.residual, 1e-6);
  }
}

TEST(SolveProcess, TheLeastCostIsTheGreatestRewardTurned) {
  SilentProgress progress;
  auto process = test::make_process<double>({.seed = 8});
  const auto greatest = solve_process(process, way("", SolveMethod::fused).options, progress);
  turn(process);
  const auto other = test::reference_values(process);
  auto least = solve_process(process, way("", SolveMethod::fused).options, progress);
  for (std::size_t s = 0; s < other.size(); ++s) EXPECT_NEAR(least.value[s], other[s], 1e-4);
  turn(least);
  for (std::size_t s = 0; s < other.size(); ++s)
    EXPECT_LE(least.value[s], greatest.value[s] + 2e-4);
}

}  // namespace
}  // namespace tidewise
