#pragma once

#include <vector>

#include "base/array.h"

namespace tidewise {

/// The elements in device memory, for work that is put on `stream` from now on.
template <class T>
Array<T, MemorySpace::device> upload(const std::vector<T>& values, const DeviceStream& stream) {
  Array<T, MemorySpace::device> there(values.size());
  copy_bytes(MemorySpace::device, there.data(), MemorySpace::host, values.data(),
             values.size() * sizeof(T), stream);
  return there;
}

/// One element of device memory, after all work so far on `stream`.
template <class T>
T fetch(const T* there, const DeviceStream& stream) {
  T here{};
  copy_bytes(MemorySpace::host, &here, MemorySpace::device, there, sizeof(T), stream);
  stream.synchronize();
  return here;
}

}  // namespace tidewise
