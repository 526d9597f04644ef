#pragma once

#include <algorithm>
#include <cstddef>

#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"

namespace tidewise {

/// Kernel of for_each_on_device().
template <class Body>
__global__ void call_for_each(std::size_t count, const __grid_constant__ Body body) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < count;
       n += stride) {
    body(n);
  }
}

/// For .cu files: calls body(0) … body(count − 1) on `stream`, each in a thread, in any order. The
/// body is trivially copyable, TIDEWISE_HOST_DEVICE and const. Small blocks distribute a small
/// number of long bodies better.
template <class Body>
void for_each_on_device(std::size_t count, const Body& body, const DeviceStream& stream,
                        unsigned block_threads = 256) {
  if (count == 0) return;
  constexpr std::size_t max_blocks = 1u << 30;
  const std::size_t blocks = std::min((count + block_threads - 1) / block_threads, max_blocks);
  call_for_each<<<static_cast<unsigned>(blocks), block_threads, 0, native(stream)>>>(count, body);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
