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

/// The reason why no GPU can be used; nullopt if one can.
std::optional<GpuObstacle> obstacle_to_gpus(const DeviceReport& report);

/// The reason why there is no GPU with the number `device`; nullopt if it is one of `count` ≥ 1
/// GPUs.
std::optional<GpuObstacle> obstacle_to_device(int device, int count);

/// The reason why this build's kernels do not run on `device`, whose name is `name`; nullopt if
/// they run.
std::optional<GpuObstacle> obstacle_to_kernels(const KernelReport& report, int device,
                                               const std::string& name);

}  // namespace tidewise
