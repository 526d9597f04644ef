#pragma once

#include <cstddef>
#include <string>

namespace tidewise {

enum class CudaSupport { compiled, absent };

/// Whether this build holds the CUDA backend.
CudaSupport cuda_support();

/// GPUs that can be used now. No driver, a driver too old and no device all count as none.
int device_count();

/// What `device` calls itself, e.g. "NVIDIA H200". Requires 0 <= device < device_count().
std::string device_name(int device);

/// Makes `device` the one that this thread allocates and works on. Requires
/// 0 <= device < device_count().
void use_device(int device);

/// Memory of the current device [B].
struct DeviceMemory {
  std::size_t free = 0;
  std::size_t total = 0;
};
DeviceMemory device_memory();

/// The device that this thread allocates and works on.
int current_device();

/// Waits until all work of all streams of the current device is done.
void wait_for_device();

}  // namespace tidewise
