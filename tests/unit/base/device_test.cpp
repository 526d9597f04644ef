#include "support/device.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/memory/array.h"
#include "env/device/device_validation.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

TEST(Device, IsAbsentInABuildWithoutCuda) {
  if (cuda_support() == CudaSupport::absent) {
    EXPECT_EQ(device_count(), 0);
    EXPECT_THROW((DeviceArray<int>(1)), RunError);
  }
}

TEST(Device, ReportsAMissingGpu) {
  if (device_count() > 0) return;
  try {
    const DeviceArray<char> array(1);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::AnyOf(HasSubstr("no GPU can be used"),
                                             HasSubstr("this build has no CUDA backend")));
  }
}

TEST(Device, HasAName) {
  TIDEWISE_REQUIRE_DEVICE();
  EXPECT_FALSE(device_name(0).empty());
}

TEST(Device, CopiesKeepEveryElement) {
  TIDEWISE_REQUIRE_DEVICE();
  Array<int> on_host(100'003);
  std::iota(on_host.begin(), on_host.end(), -7);
  DeviceArray<int> on_device;
  DeviceArray<int> device_copy;
  Array<int> copied_back;
  copy(on_device, on_host);
  copy(device_copy, on_device);
  copy(copied_back, device_copy);
  ASSERT_EQ(copied_back.size(), on_host.size());
  EXPECT_TRUE(std::equal(on_host.begin(), on_host.end(), copied_back.begin()));
}

TEST(Device, ReportsFreeMemoryWhenItRunsOut) {
  TIDEWISE_REQUIRE_DEVICE();
  std::string text;
  try {
    const DeviceArray<char> too_large(std::size_t{1} << 50);
  } catch (const RunError& error) {
    text = error.what();
  }
  EXPECT_THAT(text, HasSubstr("out of device memory: 1125899.9 GB wanted, "));
  EXPECT_THAT(text, HasSubstr(" free; give less with --device-memory"));
  EXPECT_THAT(text, HasSubstr("--backend cpu"));
  // The device remains usable.
  const DeviceArray<char> small(1000);
  EXPECT_NE(small.data(), nullptr);
}

TEST(Device, ReportsItsPeakMemory) {
  TIDEWISE_REQUIRE_DEVICE();
  const std::size_t before = peak_device_memory();
  constexpr std::size_t size = std::size_t{64} << 20;
  for (int n = 0; n < 3; ++n) const DeviceArray<char> array(size);
  EXPECT_GE(peak_device_memory(), size);
  EXPECT_LE(peak_device_memory(), before + size);
}

/// Makes a kernel read an invalid address, which ends all work of this process on the device.
void break_device() {
  const DeviceStream stream;
  PinnedArray<std::uint32_t> flags(2, 0);
  LevelValidation validate{};
  validate.fields.coefficient = {reinterpret_cast<float*>(64), 1000};
  validate_on_device(validate, {&flags[0], &flags[1]}, stream);
  stream.synchronize();
}

// Runs in a separate process, because CUDA is unusable after the device is lost.
TEST(DeviceDeathTest, ReportsALostDevice) {
  TIDEWISE_REQUIRE_DEVICE();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto report = [] {
    try {
      break_device();
    } catch (const RunError& error) {
      std::cerr << error.what() << "\n";
      std::_Exit(3);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(
      report(), testing::ExitedWithCode(3),
      "the device was lost \\(cudaErrorIllegalAddress.*\\): nothing was written; run again, "
      "or with --backend cpu");
}

}  // namespace
}  // namespace tidewise
