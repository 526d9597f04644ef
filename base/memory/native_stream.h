#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "base/memory/cuda_check.h"
#include "base/memory/stream.h"

// For .cu files.

namespace tidewise {

/// The CUDA stream for kernel launches.
inline cudaStream_t native(const DeviceStream& stream) {
  return static_cast<cudaStream_t>(stream.handle());
}

/// Sets values in device memory to 0, in the order of the stream's work.
template <class T>
void set_to_zero(T* values, std::size_t count, const DeviceStream& stream) {
  TIDEWISE_CUDA_CHECK(cudaMemsetAsync(values, 0, count * sizeof(T), native(stream)));
}

/// An attribute of the current device.
inline std::int32_t device_limit(cudaDeviceAttr limit) {
  int device = 0;
  int value = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  TIDEWISE_CUDA_CHECK(cudaDeviceGetAttribute(&value, limit, device));
  return value;
}

}  // namespace tidewise
