#pragma once

#include <cstddef>

#include "base/error.h"
#include "base/memory/array.h"

namespace tidewise::mdp {

/// One piece of device memory for several arrays, because each allocation takes time.
class DeviceParts {
 public:
  DeviceParts() = default;
  explicit DeviceParts(std::size_t bytes) : bytes_(bytes) {}

  /// Bytes that `count` elements take in the memory.
  template <class T>
  static std::size_t room_for(std::size_t count) {
    const std::size_t bytes = byte_count(count, sizeof(T));
    return (bytes + alignment - 1) / alignment * alignment;
  }
  /// Takes the next part. Requires that the sum of room_for() of all parts was allocated.
  template <class T>
  T* take(std::size_t count) {
    const std::size_t size = room_for<T>(count);
    if (size > bytes_.size() - taken_) throw RunError("device memory was divided too often");
    T* const part = reinterpret_cast<T*>(bytes_.data() + taken_);
    taken_ += size;
    return part;
  }

 private:
  static constexpr std::size_t alignment = 256;
  DeviceArray<unsigned char> bytes_;
  std::size_t taken_ = 0;
};

}  // namespace tidewise::mdp
