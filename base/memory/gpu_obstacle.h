#pragma once

#include <optional>
#include <string>

#include "base/memory/device_report.h"

namespace tidewise {

/// What keeps a run from a GPU, in the words of a message: "why; remedy".
struct GpuObstacle {
  std::string why;
  std::string remedy;
};

/// Nothing where there is a GPU.
std::optional<GpuObstacle> obstacle_to_gpus(const DeviceReport& report);

/// Nothing where `device` is one of `count` ≥ 1 GPUs.
std::optional<GpuObstacle> obstacle_to_device(int device, int count);

/// Nothing where this build's kernels run on `device`, which calls itself `name`.
std::optional<GpuObstacle> obstacle_to_kernels(const KernelReport& report, int device,
                                               const std::string& name);

}  // namespace tidewise
