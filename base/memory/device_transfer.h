#pragma once

#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/memory/array.h"

namespace tidewise {

/// The elements in device memory; there when it returns.
template <class T>
DeviceArray<std::remove_const_t<T>> upload(View<T> values) {
  DeviceArray<std::remove_const_t<T>> there(values.size);
  copy_bytes(MemorySpace::device, there.data(), MemorySpace::host, values.data,
             values.size * sizeof(T));
  return there;
}
template <class T>
DeviceArray<T> upload(const std::vector<T>& values) {
  return upload(View<const T>(values));
}

/// The elements in device memory, for work that is put on `stream` from now on.
template <class T>
DeviceArray<T> upload(const std::vector<T>& values, const DeviceStream& stream) {
  DeviceArray<T> there(values.size());
  copy_bytes(MemorySpace::device, there.data(), MemorySpace::host, values.data(),
             values.size() * sizeof(T), stream);
  return there;
}

/// Elements of device memory, after all work so far on `stream`.
template <class T>
std::vector<std::remove_const_t<T>> fetch_all(View<T> there, const DeviceStream& stream) {
  std::vector<std::remove_const_t<T>> here(there.size);
  copy_bytes(MemorySpace::host, here.data(), MemorySpace::device, there.data,
             there.size * sizeof(T), stream);
  stream.synchronize();
  return here;
}

/// One element of device memory, after all work so far on `stream`.
template <class T>
T fetch(const T* there, const DeviceStream& stream) {
  T here{};
  copy_bytes(MemorySpace::host, &here, MemorySpace::device, there, sizeof(T), stream);
  stream.synchronize();
  return here;
}

/// Waits for a stream at the end of a scope, however that ends: what the stream's work uses may go
/// then. Declared after it.
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
