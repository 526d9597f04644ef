#pragma once

#include <cstddef>
#include <string>

namespace tidewise {

/// Presence of the CUDA backend in this build.
enum class CudaSupport { compiled, absent };

/// Returns whether this build contains the CUDA backend.
CudaSupport cuda_support();

/// Number of usable GPUs. 0 without a driver, with a driver that is too old, and without a device.
int device_count();

/// The name of a device as CUDA reports it, e.g. "NVIDIA H200". Requires 0 <= device <
/// device_count().
std::string device_name(int device);

/// Makes `device` the current device of this thread, for allocations and work. Requires 0 <= device
/// < device_count().
void use_device(int device);

/// Memory of the current device [B].
struct DeviceMemory {
  std::size_t free = 0;
  std::size_t total = 0;
};
/// Free and total memory of the current device.
DeviceMemory device_memory();

/// The current device of this thread.
int current_device();

/// Waits until all streams of the current device are done.
void wait_for_device();

}  // namespace tidewise
