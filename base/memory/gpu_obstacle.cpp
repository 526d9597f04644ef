#include "base/memory/gpu_obstacle.h"

#include <fmt/format.h>

namespace tidewise {
namespace {

/// CUDA's way to number its versions: 13010 is 13.1.
std::string as_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

}  // namespace

std::optional<GpuObstacle> obstacle_to_gpus(const DeviceReport& report) {
  switch (report.standing) {
    case DeviceStanding::usable:
      return std::nullopt;
    case DeviceStanding::not_compiled:
      return {{"this build holds no CUDA", "build with 'cmake --preset cuda'"}};
    case DeviceStanding::no_driver:
      return {{"no NVIDIA driver is installed", "install one"}};
    case DeviceStanding::driver_too_old:
      return {{fmt::format("the NVIDIA driver serves CUDA {} and this build needs {}",
                           as_version(report.driver_version), as_version(report.runtime_version)),
               "install a newer driver, or build with an older CUDA"}};
    case DeviceStanding::no_device:
      return {{"the NVIDIA driver finds no GPU",
               "look at what nvidia-smi and the environment variable CUDA_VISIBLE_DEVICES say"}};
    case DeviceStanding::failed:
      break;
  }
  return {{fmt::format("CUDA does not start ({})", report.detail),
           "look at what nvidia-smi says, and at the driver"}};
}

std::optional<GpuObstacle> obstacle_to_device(int device, int count) {
  if (device < count) return std::nullopt;
  return {{count == 1 ? "there is one GPU, number 0"
                      : fmt::format("there are {} GPUs, 0 to {}", count, count - 1),
           "choose one that is there"}};
}

std::optional<GpuObstacle> obstacle_to_kernels(const KernelReport& report, int device,
                                               const std::string& name) {
  switch (report.standing) {
    case KernelReport::Standing::run:
      return std::nullopt;
    case KernelReport::Standing::not_compiled:
      return {{fmt::format("GPU {} ({}) has compute capability {}.{}, for which this build holds "
                           "no code ({})",
                           device, name, report.capability_major, report.capability_minor,
                           report.detail),
               fmt::format("build with -D CMAKE_CUDA_ARCHITECTURES={}{} if the toolkit knows it",
                           report.capability_major, report.capability_minor)}};
    case KernelReport::Standing::failed:
      break;
  }
  return {{fmt::format("GPU {} ({}) does not start ({})", device, name, report.detail),
           "look at what nvidia-smi says; another program may hold it"}};
}

}  // namespace tidewise
