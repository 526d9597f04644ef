#include "support/device.h"

#include <numeric>

#include "base/array.h"
#include "base/error.h"

namespace tidewise {
namespace {

TEST(Device, NoneIsReportedByABuildWithoutCuda) {
  if (cuda_support() == CudaSupport::absent) {
    EXPECT_EQ(device_count(), 0);
    EXPECT_THROW((Array<int, MemorySpace::device>(1)), RunError);
  }
}

TEST(Device, HasAName) {
  TIDEWISE_REQUIRE_DEVICE();
  EXPECT_FALSE(device_name(0).empty());
}

TEST(Device, CopiesThereAcrossAndBackKeepEveryElement) {
  TIDEWISE_REQUIRE_DEVICE();
  Array<int> here(100'003);
  std::iota(here.begin(), here.end(), -7);
  Array<int, MemorySpace::device> there;
  Array<int, MemorySpace::device> across;
  Array<int> back;
  copy(there, here);
  copy(across, there);
  copy(back, across);
  ASSERT_EQ(back.size(), here.size());
  EXPECT_TRUE(std::equal(here.begin(), here.end(), back.begin()));
}

TEST(Device, WantingTooMuchMemorySaysSo) {
  TIDEWISE_REQUIRE_DEVICE();
  EXPECT_THROW((Array<char, MemorySpace::device>(std::size_t{1} << 50)), RunError);
}

}  // namespace
}  // namespace tidewise
