#pragma once

#include <cuda_runtime.h>

#include "base/memory/stream.h"

namespace tidewise {

/// For .cu files: what kernels are launched on.
inline cudaStream_t native(const DeviceStream& stream) {
  return static_cast<cudaStream_t>(stream.handle());
}

}  // namespace tidewise
