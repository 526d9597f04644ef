#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "mdp/methods/device_kernels.h"
#include "mdp/process/policy_value.h"
#include "mdp/worlds/mine_field.h"
#include "support/device.h"
#include "support/mdp/process_cases.h"
#include "unit/mdp/learning_runs.h"

namespace tidewise::mdp {
namespace {

using cases::expect_same;
using cases::learn;
using testing::Each;

template <class Real>
class DeviceQLearningOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceQLearningOf, Reals);

template <class Real>
ProcessSolution<Real> learn_on_device(const DecisionProcess<Real>& process,
                                      const QLearningOptions& learning) {
  SolveOptions options;
  options.method = SolveMethod::q_learning;
  options.q_learning = learning;
  SilentProgress progress;
  return q_learning_on_device(process, options, progress);
}

TYPED_TEST(DeviceQLearningOf, HasTheHostsBits) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const std::int32_t actions : {1, 2, 3, 8, 31, 32, 33, 70}) {
    const auto process =
        test::make_process<TypeParam>({.seed = std::uint64_t(actions), .actions = actions});
    for (const std::int32_t agents : {1, 31, 512, 1000, 4096}) {
      // More rounds than a launch has, where the host is quick enough.
      const QLearningOptions learning{.agents = agents,
                                      .steps = agents > 512 ? 60 : 1100,
                                      .episode_steps = 20,
                                      .learning_decay = 0.01};
      expect_same(learn(process, learning), learn_on_device(process, learning));
    }
  }
}

TYPED_TEST(DeviceQLearningOf, HasTheHostsBitsWithMoreAgentsThanFit) {
  TIDEWISE_REQUIRE_DEVICE();
  const auto process = test::make_process<TypeParam>({.states = 1000, .actions = 32});
  const QLearningOptions learning{.agents = 50'000, .steps = 30, .begins = EpisodeStart::initial};
  expect_same(learn(process, learning, 2), learn_on_device(process, learning));
}

TEST(DeviceQLearning, CrossesTheMineField) {
  TIDEWISE_REQUIRE_DEVICE();
  const auto process = make_mine_field<float>({});
  const QLearningOptions learning{
      .agents = 4096, .steps = 3000, .learning_rate = 1, .learning_decay = 0.03};
  const auto solution = learn_on_device(process, learning);
  expect_same(learn(process, learning, 2), solution);
  RecordProperty("million_steps_a_second",
                 std::to_string(double(solution.learning.steps) / solution.sweep_seconds / 1e6));
  const auto exact = test::reference_values(process);
  EXPECT_GE(value_of_policy(process, solution.action)[0], 0.98 * exact[0]);
}

// For figures: --gtest_also_run_disabled_tests --gtest_filter='*Speed'.
TEST(DeviceQLearning, DISABLED_Speed) {
  TIDEWISE_REQUIRE_DEVICE();
  const auto process = make_mine_field<float>({});
  for (const auto& [agents, steps] : {std::pair(512, 20'000), {4096, 10'000}, {65536, 2000}}) {
    const QLearningOptions learning{
        .agents = agents, .steps = steps, .learning_rate = 1, .learning_decay = 0.03};
    learn_on_device(process, learning);
    const auto solution = learn_on_device(process, learning);
    fmt::print("{} agents: {:.2f} us a round, {:.1f} million steps a second\n", agents,
               1e6 * solution.seconds_per_sweep(),
               1e-6 * static_cast<double>(solution.learning.steps) / solution.sweep_seconds);
  }
}

TEST(DeviceQLearning, HasNothingToDoWhereAllIsTerminal) {
  TIDEWISE_REQUIRE_DEVICE();
  DecisionProcess<float> process;
  process.state_count = 2;
  process.action_count = 1;
  process.row_begin = {0, 0, 0};
  process.reward = {0, 0};
  EXPECT_THAT(learn_on_device(process, {}).action, Each(-1));
}

}  // namespace
}  // namespace tidewise::mdp
