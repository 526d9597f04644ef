// The fused method on a device: the bits of the host's, in every layout and by every launch.

#include <gtest/gtest.h>

#include <string>

#include "base/progress.h"
#include "mdp/methods/device_kernels.h"
#include "mdp/methods/host.h"
#include "support/device.h"
#include "unit/mdp/fused_cases.h"

namespace tidewise::mdp {
namespace {

class FusedOnDevice : public testing::TestWithParam<Case> {};

template <class Real>
void check_device(const DecisionProcess<Real>& process) {
  SolveOptions options;
  for (const StoppingRule stop : {StoppingRule::change, StoppingRule::error}) {
    options.stop = stop;
    for (const std::int64_t most : {1000, 70, 33, 7, 1, 0}) {
      options.most_sweeps = most;
      SilentProgress silent;
      options.layout = FusedLayout::rows;
      const auto host = iterate_fused<Real>(process, options, silent);
      for (const FusedLayout layout : layouts) {
        for (const FusedLaunch launch :
             {FusedLaunch::automatic, FusedLaunch::graph, FusedLaunch::persistent}) {
          SCOPED_TRACE(testing::Message()
                       << "stop " << int(stop) << ", at most " << most << ", layout " << int(layout)
                       << ", launch " << int(launch));
          options.layout = layout;
          options.launch = launch;
          const auto found = fused_on_device<Real>(process, options, silent);
          EXPECT_EQ(found.sweeps, host.sweeps);
          EXPECT_EQ(found.converged, host.converged);
          EXPECT_TRUE(same_bits(found.value, host.value));
          EXPECT_TRUE(same_bits(found.action, host.action));
        }
      }
    }
  }
}
TEST_P(FusedOnDevice, HasTheHostsBits) {
  TIDEWISE_REQUIRE_DEVICE();
  check_device(GetParam().make());
  check_device(convert<float>(GetParam().make()));
}

INSTANTIATE_TEST_SUITE_P(All, FusedOnDevice, testing::ValuesIn(cases),
                         [](const auto& it) { return std::string(it.param.name); });

}  // namespace
}  // namespace tidewise::mdp
