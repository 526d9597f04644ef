#pragma once

#include <cstddef>

#include "base/error.h"
#include "base/memory/array.h"

namespace tidewise::mdp {

/// One piece of device memory that several arrays share: one allocation takes the time that each of
/// them would.
class DeviceParts {
 public:
  DeviceParts() = default;
  explicit DeviceParts(std::size_t bytes) : bytes_(bytes) {}

  /// Room for `count` elements in an allocation to come.
  template <class T>
  static std::size_t room_for(std::size_t count) {
    const std::size_t bytes = byte_count(count, sizeof(T));
    return (bytes + alignment - 1) / alignment * alignment;
  }
  /// The next part of the memory. Not more in all than the sum of room_for() that was asked for.
  template <class T>
  T* take(std::size_t count) {
    const std::size_t room = room_for<T>(count);
    if (room > bytes_.size() - taken_) throw RunError("device memory was shared out too often");
    T* const part = reinterpret_cast<T*>(bytes_.data() + taken_);
    taken_ += room;
    return part;
  }

 private:
  static constexpr std::size_t alignment = 256;
  DeviceArray<unsigned char> bytes_;
  std::size_t taken_ = 0;
};

}  // namespace tidewise::mdp
