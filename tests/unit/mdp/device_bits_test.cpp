// Every method that GPUs support has the same bits on host and device. A method's row lists both of
// its functions.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/methods/table.h"
#include "mdp/worlds/mine_field.h"
#include "support/device.h"
#include "support/mdp/policy_value.h"
#include "support/mdp/process_cases.h"
#include "unit/mdp/divided/division_checks.h"
#include "unit/mdp/fused_cases.h"

namespace tidewise::mdp {
namespace {

constexpr FusedLayout layouts[] = {FusedLayout::automatic, FusedLayout::rows, FusedLayout::sell,
                                   FusedLayout::packed};
constexpr BlockVariant variants[] = {BlockVariant::plain, BlockVariant::buffering,
                                     BlockVariant::prioritising, BlockVariant::both};

SolveOptions options_for(Method method, double tolerance = 1e-4) {
  return SolveOptions({.method = method, .tolerance = tolerance});
}

template <class Real>
class DeviceBits : public testing::Test {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_DEVICE(); }

  ProcessSolution<Real> solve(const DecisionProcess<Real>& process, SolveOptions options,
                              BackendChoice backend) {
    const bool on_device = backend == BackendChoice::cuda;
    options.backend = backend;
    if (on_device && options.evaluator == Evaluator::automatic) {
      options.evaluator = Evaluator::cuda;
    }
    const MethodRow& row = row_of(options.method);
    return std::get<SolveFunction<Real>>(on_device ? row.device : row.host)(process, options,
                                                                            silent_);
  }
  /// Compares the solutions of host and device, and returns the device's.
  ProcessSolution<Real> expect_same(const DecisionProcess<Real>& process,
                                    const SolveOptions& options) {
    const auto on_host = solve(process, options, BackendChoice::cpu);
    auto on_device = solve(process, options, BackendChoice::cuda);
    EXPECT_TRUE(same_bits(on_device.value, on_host.value));
    EXPECT_TRUE(same_bits(on_device.action, on_host.action));
    EXPECT_EQ(on_device.converged, on_host.converged);
    EXPECT_EQ(on_device.sweeps, on_host.sweeps);
    EXPECT_EQ(on_device.improvements, on_host.improvements);
    EXPECT_EQ(on_device.policy_changes, on_host.policy_changes);
    EXPECT_EQ(on_device.learning.visits, on_host.learning.visits);
    EXPECT_EQ(on_device.learning.unvisited_rows, on_host.learning.unvisited_rows);
    EXPECT_EQ(on_device.learning.explored_steps, on_host.learning.explored_steps);
    EXPECT_EQ(on_device.learning.episodes, on_host.learning.episodes);
    EXPECT_LE(on_device.sweep_seconds, on_device.seconds);
    return on_device;
  }

  SilentProgress silent_;
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceBits, Precisions);

TYPED_TEST(DeviceBits, EqualThoseOfTheHostInEveryLayout) {
  for (const FusedCase& fused_case : fused_cases) {
    const auto process = convert<TypeParam>(fused_case.make());
    for (const StoppingRule stop : {StoppingRule::change, StoppingRule::error}) {
      for (const std::int64_t max : {1000, 70, 33, 7, 2, 1, 0}) {
        SCOPED_TRACE(testing::Message()
                     << fused_case << ", stop " << int(stop) << ", at most " << max);
        SolveOptions options = options_for(Method::value_iteration);
        options.stop = stop;
        options.max_sweeps = max;
        this->expect_same(process, options);
        options.method = Method::fused;
        for (const FusedLayout layout : layouts) {
          SCOPED_TRACE(testing::Message() << "layout " << int(layout));
          options.layout = layout;
          this->expect_same(process, options);
        }
      }
    }
  }
}

/// Host and device give up after the same sweep: by the proof of a gaining loop, and if changes do
/// not decrease, with γ = 1 or because of rounding.
TYPED_TEST(DeviceBits, EqualThoseOfTheHostWhenGivingUp) {
  const auto gaining = test::make_process<TypeParam>({.seed = 11, .states = 700, .discount = 1});
  auto losing = gaining;
  for (TypeParam& reward : losing.reward) reward = -reward - TypeParam(4);
  // Pairs of states that lead to each other.
  const auto pairs = [](std::int32_t states, double discount, const auto& reward) {
    auto process = process_of<TypeParam>(
        states, 1,
        [](std::int32_t s, auto) {
          return Row{{s ^ 1, 1, 0}};
        },
        [&](std::int32_t s, auto) { return reward(s); });
    process.discount = discount;
    return process;
  };
  const auto alternating = pairs(300, 1, [](std::int32_t s) { return s % 2 == 0 ? 1.0 : -1.0; });
  const auto oscillating = pairs(2000, 0.9, [](std::int32_t s) { return std::sin(1.7 * s); });
  SolveOptions options = options_for(Method::value_iteration);
  EXPECT_EQ(this->expect_same(gaining, options).sweeps, 64);
  EXPECT_TRUE(this->expect_same(losing, options).converged);
  EXPECT_EQ(this->expect_same(alternating, options).sweeps, 1001);
  options.tolerance = 1e-30;
  EXPECT_FALSE(this->expect_same(oscillating, options).converged);
  options.method = Method::fused;
  for (const FusedLayout layout : layouts) {
    SCOPED_TRACE(testing::Message() << "layout " << int(layout));
    options.layout = layout;
    for (const auto* const process : {&gaining, &alternating, &oscillating}) {
      EXPECT_FALSE(this->expect_same(*process, options).converged);
    }
  }
}

TYPED_TEST(DeviceBits, EqualThoseOfTheHostInBackwardInduction) {
  for (const double discount : {0.9, 1.0}) {
    auto process = test::make_process<TypeParam>(
        {.seed = 12, .states = 1501, .discount = discount, .local = true});
    for (const double initial : {0.0, 0.7}) {
      process.initial_value.assign(1501, TypeParam(initial));
      // Values are checked after 64 and 128 steps.
      for (const std::int64_t horizon : {1, 2, 3, 7, 63, 64, 65, 128, 129, 150}) {
        for (const FusedLayout layout : layouts) {
          SolveOptions options = options_for(Method::backward);
          options.horizon = horizon;
          options.layout = layout;
          this->expect_same(process, options);
        }
      }
    }
  }
}

TYPED_TEST(DeviceBits, EqualThoseOfTheHostInDividedIterations) {
  auto processes = cases::division_cases<TypeParam>();
  // This process has more neighbours than fit shared memory.
  processes.emplace_back("wide", test::make_process<TypeParam>({.seed = 9, .states = 6000}));
  for (const auto& [name, process] : processes) {
    SolveOptions options = cases::division_options(process);
    options.method = Method::result_divided;
    this->expect_same(process, options);
    options.method = Method::block_divided;
    for (const BlockVariant variant : variants) {
      for (const std::int32_t block_states : {0, 1, 7, 100, 1000, 2048}) {
        SCOPED_TRACE(testing::Message()
                     << name << ", variant " << int(variant) << ", blocks of " << block_states);
        options.blocks.variant = variant;
        options.blocks.states = block_states;
        this->expect_same(process, options);
      }
    }
  }
}

TYPED_TEST(DeviceBits, EqualThoseOfTheHostForAnyNumberOfInnerSweeps) {
  const auto process = cases::slip_world<TypeParam>(64, 48, .99);
  SolveOptions options = cases::division_options(process);
  options.method = Method::block_divided;
  for (const BlockVariant variant : variants) {
    for (const std::int32_t sweeps : {1, 2, 5, 16}) {
      for (const std::int64_t max : {1, 2, 9, 20'000}) {
        options.blocks = {.variant = variant, .sweeps = sweeps};
        options.max_sweeps = max;
        this->expect_same(process, options);
        if (!prioritises(variant)) continue;
        options.blocks.states_per_thread = 9;
        options.blocks.changed_states = 2;
        this->expect_same(process, options);
      }
    }
  }
}

TYPED_TEST(DeviceBits, EqualThoseOfTheHostInPolicyIteration) {
  for (test::RandomProcess settings : test::policy_processes()) {
    for (const double discount : {0.0, 0.9, 0.99}) {
      settings.discount = discount;
      const auto process = test::make_process<TypeParam>(settings);
      for (const std::int32_t sweeps : {0, 1, 20}) {
        SCOPED_TRACE(testing::Message() << "seed " << settings.seed << ", discount " << discount
                                        << ", sweeps " << sweeps);
        SolveOptions options = options_for(Method::policy_iteration, 1e-3);
        options.evaluation_sweeps = sweeps;
        this->expect_same(process, options);
        options.evaluator = Evaluator::block;
        this->expect_same(process, options);
      }
      SolveOptions stable = options_for(Method::policy_iteration, 1e-3);
      stable.stop = StoppingRule::policy;
      for (const Evaluator evaluator : {Evaluator::automatic, Evaluator::block}) {
        stable.evaluator = evaluator;
        for (const std::int64_t max : {1, 19, 20, 21, 1'000'000}) {
          SCOPED_TRACE(testing::Message() << "seed " << settings.seed << ", discount " << discount
                                          << ", at most " << max);
          stable.max_sweeps = max;
          this->expect_same(process, stable);
        }
      }
    }
  }
  const auto costly =
      test::make_costly_process<TypeParam>({.seed = 10, .states = 5000, .terminal_share = 0.1});
  EXPECT_TRUE(this->expect_same(costly, options_for(Method::policy_iteration, 1e-5)).converged);
  SolveOptions long_evaluation = options_for(Method::policy_iteration);
  long_evaluation.evaluation_sweeps = 1'000'000;
  EXPECT_LT(this->expect_same(test::make_process<TypeParam>({.seed = 12}), long_evaluation).sweeps,
            100'000);
  SolveOptions options = options_for(Method::policy_iteration, 1e-9);
  options.max_sweeps = 22;
  const auto slow = test::make_process<TypeParam>({.seed = 11, .discount = 0.999});
  EXPECT_EQ(this->expect_same(slow, options).sweeps, 22);
}

TYPED_TEST(DeviceBits, EqualThoseOfTheHostInQLearning) {
  SolveOptions options = options_for(Method::q_learning);
  options.threads = 2;
  for (const std::int32_t actions : {1, 2, 3, 8, 31, 32, 33, 70}) {
    const auto process =
        test::make_process<TypeParam>({.seed = std::uint64_t(actions), .actions = actions});
    for (const std::int32_t agents : {1, 31, 512, 1000, 4096}) {
      // This exceeds the rounds of one launch, if the host is fast enough.
      options.q_learning = {.agents = agents,
                            .steps = agents > 512 ? 60 : 1100,
                            .episode_steps = 20,
                            .learning_decay = 0.01};
      this->expect_same(process, options);
      options.q_learning.lanes = 1;  // without warp reductions
      const auto single_lane = this->expect_same(process, options);
      EXPECT_EQ(single_lane.learning.launch.lanes, 1);
      EXPECT_GT(single_lane.learning.launch.occupancy, 0);
    }
  }
  // There are more agents than can be resident.
  options.q_learning = {.agents = 50'000, .steps = 30, .begins = EpisodeStart::initial};
  this->expect_same(test::make_process<TypeParam>({.states = 1000, .actions = 32}), options);
  // The learnt policy crosses the mine field.
  options.q_learning = {.agents = 4096, .steps = 3000};
  const auto field = make_mine_field<TypeParam>({});
  const auto learnt = this->expect_same(field, options);
  EXPECT_GE(test::value_of_policy(field, learnt.action)[0],
            0.98 * test::reference_values(field)[0]);
}

TYPED_TEST(DeviceBits, EqualThoseOfTheHostWithTerminalStates) {
  DecisionProcess<TypeParam> terminal;
  terminal.state_count = 300;
  terminal.action_count = 2;
  terminal.row_begin.assign(601, 0);
  terminal.reward.assign(600, 0);
  terminal.initial_value.assign(300, 3);
  for (const MethodRow& row : method_rows()) {
    if (row.method == Method::automatic || !row.host_alone.empty()) continue;
    SCOPED_TRACE(row.name);
    SolveOptions options = options_for(row.method);
    options.horizon = 3;
    this->expect_same(terminal, options);
  }
}

// Each kernel in a few launches, for compute-sanitizer.
TYPED_TEST(DeviceBits, EqualThoseOfTheHostOnASmallProcess) {
  const auto process = test::make_process<TypeParam>({.seed = 14, .states = 300});
  for (const MethodRow& row : method_rows()) {
    if (row.method == Method::automatic || !row.host_alone.empty()) continue;
    SCOPED_TRACE(row.name);
    SolveOptions options = options_for(row.method, 0.1);
    options.horizon = 3;
    options.threads = 2;
    options.q_learning = {.agents = 64, .steps = 20};
    for (const BlockVariant variant : variants) {
      options.blocks.variant = variant;
      this->expect_same(process, options);
      if (row.method != Method::block_divided) break;
    }
  }
}

TYPED_TEST(DeviceBits, ThrowForInfiniteValues) {
  auto process = test::three_state_process<TypeParam>();
  process.discount = 1;
  for (TypeParam& reward : process.reward) reward = std::numeric_limits<TypeParam>::max() / 2;
  for (const Method method :
       {Method::value_iteration, Method::block_divided, Method::result_divided, Method::backward}) {
    SCOPED_TRACE(name_of(method));
    SolveOptions options = options_for(method);
    options.horizon = 100;
    EXPECT_THROW(this->solve(process, options, BackendChoice::cuda), RunError);
  }
  EXPECT_THROW(this->solve(process, options_for(Method::backward), BackendChoice::cuda),
               InputError);
}

}  // namespace
}  // namespace tidewise::mdp
