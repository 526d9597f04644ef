#pragma once

#include <optional>
#include <string>

#include "base/memory/device_report.h"

namespace tidewise {

/// The reason why a run cannot use a GPU, and the remedy, as parts of a message.
struct GpuObstacle {
  std::string why;
  std::string remedy;
};

/// nullopt if there is a GPU.
std::optional<GpuObstacle> obstacle_to_gpus(const DeviceReport& report);

/// nullopt if `device` is one of `count` ≥ 1 GPUs.
std::optional<GpuObstacle> obstacle_to_device(int device, int count);

/// nullopt if this build's kernels run on `device`, whose name is `name`.
std::optional<GpuObstacle> obstacle_to_kernels(const KernelReport& report, int device,
                                               const std::string& name);

}  // namespace tidewise
