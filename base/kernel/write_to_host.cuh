#pragma once

#include <cstddef>

#include "base/host_device.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/array.h"

namespace tidewise {

/// Body of write_to_host().
template <class T>
struct WriteToHost {
  const T* from;
  T* to;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const { to[n] = from[n]; }
};

/// For .cu files: copies a few elements like copy(), but by a kernel: a copy to the host can wait
/// for large copies of other streams. `host` must have at least the size of `device`.
template <class T>
void write_to_host(PinnedArray<T>& host, const DeviceArray<T>& device, const DeviceStream& stream) {
  for_each_on_device(device.size(), WriteToHost<T>{device.data(), host.data()}, stream);
}

}  // namespace tidewise
