#pragma once

#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/memory/array.h"

namespace tidewise {

/// Copies elements to device memory; returns when the copy is complete.
template <class T>
DeviceArray<std::remove_const_t<T>> upload(View<T> values) {
  DeviceArray<std::remove_const_t<T>> on_device(values.size);
  copy_bytes(MemorySpace::device, on_device.data(), MemorySpace::host, values.data,
             values.size * sizeof(T));
  return on_device;
}
template <class T>
DeviceArray<T> upload(const std::vector<T>& values) {
  return upload(View<const T>(values));
}

/// Copies elements to device memory, for later work on `stream`.
template <class T>
DeviceArray<T> upload(const std::vector<T>& values, const DeviceStream& stream) {
  DeviceArray<T> on_device(values.size());
  copy_bytes(MemorySpace::device, on_device.data(), MemorySpace::host, values.data(),
             values.size() * sizeof(T), stream);
  return on_device;
}

/// Copies elements of device memory to the host, after all work so far on `stream`.
template <class T>
std::vector<std::remove_const_t<T>> fetch_all(View<T> on_device, const DeviceStream& stream) {
  std::vector<std::remove_const_t<T>> on_host(on_device.size);
  copy_bytes(MemorySpace::host, on_host.data(), MemorySpace::device, on_device.data,
             on_device.size * sizeof(T), stream);
  stream.synchronize();
  return on_host;
}

/// Copies one element of device memory to the host, after all work so far on `stream`.
template <class T>
T fetch(const T* on_device, const DeviceStream& stream) {
  T on_host{};
  copy_bytes(MemorySpace::host, &on_host, MemorySpace::device, on_device, sizeof(T), stream);
  stream.synchronize();
  return on_host;
}

/// Waits for a stream at the end of a scope, also after an exception, before objects that the
/// stream's work uses are destroyed. Declare it after them.
class WaitAtEnd {
 public:
  explicit WaitAtEnd(const DeviceStream& stream) : stream_(stream) {}
  WaitAtEnd(const WaitAtEnd&) = delete;
  WaitAtEnd& operator=(const WaitAtEnd&) = delete;
  ~WaitAtEnd() {
    try {
      stream_.synchronize();
    } catch (const RunError&) {  // the device is lost, and the work with it
    }
  }

 private:
  const DeviceStream& stream_;
};

}  // namespace tidewise
