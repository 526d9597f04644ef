#include "base/memory/gpu_obstacle.h"

#include <fmt/format.h>

namespace tidewise {
namespace {

/// Formats CUDA's version numbers: 13010 is 13.1.
std::string as_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

}  // namespace

std::optional<GpuObstacle> obstacle_to_gpus(const DeviceReport& report) {
  switch (report.standing) {
    case DeviceStanding::usable:
      return std::nullopt;
    case DeviceStanding::not_compiled:
      return {{"this build has no CUDA backend", "build with 'cmake --preset cuda'"}};
    case DeviceStanding::no_driver:
      return {{"no NVIDIA driver is installed", "install one"}};
    case DeviceStanding::driver_too_old:
      return {{fmt::format("the NVIDIA driver supports CUDA {}, but this build needs {}",
                           as_version(report.driver_version), as_version(report.runtime_version)),
               "install a newer driver, or build with an older CUDA"}};
    case DeviceStanding::no_device:
      return {{"the NVIDIA driver finds no GPU",
               "check nvidia-smi and the environment variable CUDA_VISIBLE_DEVICES"}};
    case DeviceStanding::failed:
      break;
  }
  return {
      {fmt::format("CUDA does not start ({})", report.detail), "check nvidia-smi and the driver"}};
}

std::optional<GpuObstacle> obstacle_to_device(int device, int count) {
  if (device < count) return std::nullopt;
  return {{count == 1 ? "there is one GPU, number 0"
                      : fmt::format("there are {} GPUs, 0 to {}", count, count - 1),
           "choose one of them"}};
}

std::optional<GpuObstacle> obstacle_to_kernels(const KernelReport& report, int device,
                                               const std::string& name) {
  switch (report.standing) {
    case KernelReport::Standing::run:
      return std::nullopt;
    case KernelReport::Standing::not_compiled:
      return {{fmt::format("GPU {} ({}) has compute capability {}.{}, for which this build has "
                           "no code ({})",
                           device, name, report.capability_major, report.capability_minor,
                           report.detail),
               fmt::format("build with -D CMAKE_CUDA_ARCHITECTURES={}{} if the toolkit supports it",
                           report.capability_major, report.capability_minor)}};
    case KernelReport::Standing::failed:
      break;
  }
  return {{fmt::format("GPU {} ({}) does not start ({})", device, name, report.detail),
           "check nvidia-smi; another program may use it exclusively"}};
}

}  // namespace tidewise
