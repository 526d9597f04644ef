// Messages for each reason why no GPU can be used.

#include "base/memory/gpu_obstacle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/memory/device.h"
#include "support/device.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

std::string obstacle_text(const DeviceReport& report) {
  const auto obstacle = obstacle_to_gpus(report);
  return obstacle ? obstacle->why + "; " + obstacle->remedy : "";
}

TEST(GpuObstacle, ReportsWhatIsMissing) {
  EXPECT_EQ(obstacle_text({.standing = DeviceStanding::usable, .count = 1}), "");
  EXPECT_THAT(obstacle_text({.standing = DeviceStanding::not_compiled}),
              HasSubstr("has no CUDA backend"));
  EXPECT_THAT(obstacle_text({.standing = DeviceStanding::no_driver}),
              HasSubstr("no NVIDIA driver"));
  EXPECT_THAT(obstacle_text({.standing = DeviceStanding::no_device}),
              HasSubstr("CUDA_VISIBLE_DEVICES"));
  EXPECT_THAT(obstacle_text(
                  {.standing = DeviceStanding::failed, .detail = "cudaErrorSystemNotReady, wait"}),
              HasSubstr("does not start (cudaErrorSystemNotReady, wait)"));
}

TEST(GpuObstacle, ReportsBothVersionsIfTheDriverIsTooOld) {
  const DeviceReport report{.standing = DeviceStanding::driver_too_old,
                            .driver_version = 12040,
                            .runtime_version = 13010};
  EXPECT_THAT(obstacle_text(report), HasSubstr("supports CUDA 12.4, but this build needs 13.1"));
  EXPECT_THAT(obstacle_text(report), HasSubstr("a newer driver"));
}

TEST(GpuObstacle, ReportsTheExistingDevices) {
  EXPECT_EQ(obstacle_to_device(0, 1), std::nullopt);
  EXPECT_EQ(obstacle_to_device(1, 2), std::nullopt);
  EXPECT_EQ(obstacle_to_device(3, 2)->why, "there are 2 GPUs, 0 to 1");
  EXPECT_EQ(obstacle_to_device(1, 1)->why, "there is one GPU, number 0");
}

TEST(GpuObstacle, ReportsTheMissingArchitecture) {
  const KernelReport report{.standing = KernelReport::Standing::not_compiled,
                            .capability_major = 6,
                            .capability_minor = 1,
                            .detail = "cudaErrorNoKernelImageForDevice"};
  const auto obstacle = obstacle_to_kernels(report, 0, "GTX 1080");
  EXPECT_THAT(obstacle->why, HasSubstr("GPU 0 (GTX 1080) has compute capability 6.1"));
  EXPECT_THAT(obstacle->remedy, HasSubstr("CMAKE_CUDA_ARCHITECTURES=61"));
  EXPECT_EQ(obstacle_to_kernels({.standing = KernelReport::Standing::run}, 0, "x"), std::nullopt);
}

TEST(DeviceReport, AgreesWithTheBuildAndTheCount) {
  const DeviceReport report = report_devices();
  EXPECT_EQ(report.count, device_count());
  EXPECT_EQ(report.standing == DeviceStanding::usable, report.count > 0);
  EXPECT_EQ(report.standing == DeviceStanding::not_compiled, cuda_support() == CudaSupport::absent);
}

TEST(DeviceReport, StartsAUsableDevice) {
  TIDEWISE_REQUIRE_DEVICE();
  const KernelReport report = start_device(0);
  EXPECT_EQ(report.standing, KernelReport::Standing::run) << report.detail;
  EXPECT_GE(report.capability_major, 7);
}

}  // namespace
}  // namespace tidewise
