// Built with CUDA alone: block and result divided iteration on the device, beside the host.
#include <gtest/gtest.h>

#include "base/error.h"
#include "division_checks.h"
#include "mdp/methods/device_kernels.h"
#include "mdp/methods/host.h"
#include "support/device.h"

namespace tidewise::mdp {
namespace {

template <class Real>
class DeviceDivision : public testing::Test {
 protected:
  /// Those of the host, and one whose neighbours are too many for shared memory.
  static auto cases() {
    auto cases = cases::division_cases<Real>();
    cases.emplace_back("wide", test::make_process<Real>({.seed = 9, .states = 6000}));
    return cases;
  }
  static void expect_host_bits(const DecisionProcess<Real>& process, const SolveOptions& options) {
    SilentProgress silence;
    cases::expect_same_bits(block_divided_on_device(process, options, silence),
                            iterate_block_divided(process, options, silence));
  }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceDivision, Precisions);

TYPED_TEST(DeviceDivision, BlocksLeaveTheBitsOfTheHost) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const auto& [name, process] : this->cases()) {
    for (const BlockVariant variant :
         {BlockVariant::plain, BlockVariant::buffering, BlockVariant::prioritising}) {
      for (const std::int32_t block_states : {0, 1, 7, 100, 1000, 2048}) {
        SCOPED_TRACE(testing::Message()
                     << name << ", variant " << int(variant) << ", blocks of " << block_states);
        SolveOptions options = cases::division_options(process);
        options.block_variant = variant;
        options.block_states = block_states;
        this->expect_host_bits(process, options);
      }
    }
  }
}

TYPED_TEST(DeviceDivision, AnyNumberOfInnerSweepsAndLaunchesLeavesTheBitsOfTheHost) {
  TIDEWISE_REQUIRE_DEVICE();
  const auto process = cases::slip_world<TypeParam>(64, 48, .99);
  for (const BlockVariant variant :
       {BlockVariant::plain, BlockVariant::buffering, BlockVariant::prioritising}) {
    for (const std::int32_t sweeps : {1, 2, 5, 16}) {
      for (const std::int64_t most : {1, 2, 9, 20'000}) {
        SolveOptions options = cases::division_options(process);
        options.block_variant = variant;
        options.block_sweeps = sweeps;
        options.most_sweeps = most;
        this->expect_host_bits(process, options);
      }
    }
  }
}

TYPED_TEST(DeviceDivision, ResultsAreTheBitsOfTheHost) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const auto& [name, process] : this->cases()) {
    SCOPED_TRACE(name);
    const SolveOptions options = cases::division_options(process);
    SilentProgress silence;
    cases::expect_same_bits(result_divided_on_device(process, options, silence),
                            iterate_result_divided(process, options, silence));
  }
}

TYPED_TEST(DeviceDivision, ANumberTooLargeIsAFailedRun) {
  TIDEWISE_REQUIRE_DEVICE();
  auto process = test::four_cell_world<TypeParam>();
  for (auto& reward : process.reward) reward = std::numeric_limits<TypeParam>::max();
  SilentProgress silence;
  EXPECT_THROW(block_divided_on_device(process, {}, silence), RunError);
  EXPECT_THROW(result_divided_on_device(process, {}, silence), RunError);
}

}  // namespace
}  // namespace tidewise::mdp
