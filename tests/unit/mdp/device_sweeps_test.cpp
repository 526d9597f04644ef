#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "mdp/methods/device_kernels.h"
#include "mdp/methods/host.h"
#include "support/device.h"
#include "support/mdp/process_cases.h"

// Built with CUDA alone: what it calls is not there without.

namespace tidewise::mdp {
namespace {

template <class Real>
void expect_same_sweeps(const ProcessSolution<Real>& here, const ProcessSolution<Real>& there) {
  EXPECT_EQ(here.value, there.value);
  EXPECT_EQ(here.action, there.action);
  EXPECT_EQ(here.converged, there.converged);
  EXPECT_EQ(here.sweeps, there.sweeps);
  EXPECT_LE(there.sweep_seconds, there.seconds);
}

template <class Real>
class DeviceSweeps : public testing::Test {
 protected:
  void expect_same_values(const DecisionProcess<Real>& process, const SolveOptions& options) {
    expect_same_sweeps(iterate_values(process, options, progress_),
                       values_on_device(process, options, progress_));
  }
  void expect_same_steps(const DecisionProcess<Real>& process, std::int64_t horizon) {
    SolveOptions options;
    options.horizon = horizon;
    expect_same_sweeps(induce_backward(process, options, progress_),
                       backward_on_device(process, options, progress_));
  }

  SilentProgress progress_;
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceSweeps, Precisions);

TYPED_TEST(DeviceSweeps, ValueIterationHasTheHostsBits) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const double discount : {0.0, 0.5, 0.9, 0.99}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const auto states = static_cast<std::int32_t>(seed * seed * 257);
      const auto process = test::make_process<TypeParam>(
          {.seed = seed, .states = states, .discount = discount, .local = seed % 2 == 0});
      for (const StoppingRule rule : {StoppingRule::error, StoppingRule::change}) {
        SolveOptions options;
        options.tolerance = 1e-3;
        options.stop = rule;
        this->expect_same_values(process, options);
      }
    }
  }
  this->expect_same_values(test::four_cell_world<TypeParam>(), {});
  this->expect_same_values(test::three_state_process<TypeParam>(), {});
}

TYPED_TEST(DeviceSweeps, MostSweepsHold) {
  TIDEWISE_REQUIRE_DEVICE();
  const auto process = test::make_process<TypeParam>({.discount = 0.999});
  for (const std::int64_t most : {1, 2, 3, 4, 7}) {
    SolveOptions options;
    options.most_sweeps = most;
    this->expect_same_values(process, options);
  }
}

TYPED_TEST(DeviceSweeps, StatesWithoutActionsKeepTheirValue) {
  TIDEWISE_REQUIRE_DEVICE();
  DecisionProcess<TypeParam> ends;
  ends.state_count = 300;
  ends.action_count = 2;
  ends.row_begin.assign(601, 0);
  ends.reward.assign(600, 0);
  ends.initial_value.assign(300, 3);
  this->expect_same_values(ends, {});
  this->expect_same_steps(ends, 3);
}

TYPED_TEST(DeviceSweeps, BackwardInductionHasTheHostsBits) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const std::int64_t horizon : {1, 2, 3, 4, 50}) {
    auto process = test::make_process<TypeParam>(
        {.seed = 9, .states = 5000, .discount = horizon == 3 ? 0.9 : 1, .local = true});
    this->expect_same_steps(process, horizon);
    process.initial_value.assign(5000, TypeParam(0.7));
    this->expect_same_steps(process, horizon);
  }
}

TYPED_TEST(DeviceSweeps, ALoopThatGainsIsGivenUpWhereTheHostDoes) {
  TIDEWISE_REQUIRE_DEVICE();
  auto process = test::make_process<TypeParam>({.seed = 11, .states = 700, .discount = 1});
  this->expect_same_values(process, {});
  for (TypeParam& reward : process.reward) reward = -reward - TypeParam(4);
  SolveOptions options;
  options.most_sweeps = 3000;
  this->expect_same_values(process, options);
}

TYPED_TEST(DeviceSweeps, StepsHaveTheHostsBitsByAnyLayoutAndInBatches) {
  TIDEWISE_REQUIRE_DEVICE();
  const auto process =
      test::make_process<TypeParam>({.seed = 12, .states = 1501, .discount = 1, .local = true});
  // Values are looked at after 64 and 128 steps.
  for (const std::int64_t horizon : {1, 7, 63, 64, 65, 128, 129, 150}) {
    for (const FusedLayout layout :
         {FusedLayout::automatic, FusedLayout::rows, FusedLayout::sell, FusedLayout::packed}) {
      SolveOptions options;
      options.horizon = horizon;
      options.layout = layout;
      expect_same_sweeps(induce_backward(process, options, this->progress_),
                         backward_on_device(process, options, this->progress_));
    }
  }
}

TYPED_TEST(DeviceSweeps, ValuesWithoutBoundAreAnError) {
  TIDEWISE_REQUIRE_DEVICE();
  auto process = test::three_state_process<TypeParam>();
  process.discount = 1;
  for (TypeParam& reward : process.reward) reward = std::numeric_limits<TypeParam>::max() / 2;
  SolveOptions options;
  options.horizon = 100;
  EXPECT_THROW(values_on_device(process, options, this->progress_), RunError);
  EXPECT_THROW(backward_on_device(process, options, this->progress_), RunError);
  options.horizon = 0;
  EXPECT_THROW(backward_on_device(process, options, this->progress_), InputError);
}

}  // namespace
}  // namespace tidewise::mdp
