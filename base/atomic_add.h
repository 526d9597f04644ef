#pragma once

#include "base/host_device.h"

namespace tidewise {

/// Adds to a number that other threads of the same kernel also add to. On the CPU the addition is
/// not atomic: only one thread may call it.
template <class T>
TIDEWISE_HOST_DEVICE inline void add_atomically(T* sum, T value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(sum, value);
#else
  *sum += value;
#endif
}

}  // namespace tidewise
