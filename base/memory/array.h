#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/memory/memory.h"
#include "base/memory/stream.h"
#include "base/memory/view.h"

namespace tidewise {

/// Memory of one space, owned by this object. Elements are uninitialized unless a fill is given.
template <class T, MemorySpace Space = MemorySpace::host>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  explicit Array(std::size_t size)
      : data_(static_cast<T*>(allocate(Space, byte_count(size, sizeof(T))))), size_(size) {}
  Array(std::size_t size, T fill) requires(Space != MemorySpace::device) : Array(size) {
    std::fill_n(data_, size_, fill);
  }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { deallocate(Space, data_, size_ * sizeof(T)); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  View<T> view() { return {data_, size_}; }
  View<const T> view() const { return {data_, size_}; }

  T& operator[](std::size_t i) requires(Space != MemorySpace::device) { return data_[i]; }
  const T& operator[](std::size_t i) const requires(Space != MemorySpace::device) {
    return data_[i];
  }
  T* begin() requires(Space != MemorySpace::device) { return data_; }
  T* end() requires(Space != MemorySpace::device) { return data_ + size_; }
  const T* begin() const requires(Space != MemorySpace::device) { return data_; }
  const T* end() const requires(Space != MemorySpace::device) { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An array in device memory.
template <class T>
using DeviceArray = Array<T, MemorySpace::device>;
/// An array in pinned host memory.
template <class T>
using PinnedArray = Array<T, MemorySpace::pinned>;

/// Makes `array` hold at least `size` elements. Its content is lost if it has to grow.
template <class T, MemorySpace Space>
void fit(Array<T, Space>& array, std::size_t size) {
  if (array.size() >= size) return;
  array = {};  // releases the old memory first
  array = Array<T, Space>(size);
}

/// Copies all elements between arrays of any spaces; reallocates the destination if the sizes
/// differ. All copies of arrays use this function.
template <class T, MemorySpace To, MemorySpace From>
void copy(Array<T, To>& destination, const Array<T, From>& source) {
  if (destination.size() != source.size()) destination = Array<T, To>(source.size());
  copy_bytes(To, destination.data(), From, source.data(), source.size() * sizeof(T));
}

/// As above, in the order of `stream`'s work; both arrays must exist until the copy is done.
template <class T, MemorySpace To, MemorySpace From>
void copy(Array<T, To>& destination, const Array<T, From>& source, const DeviceStream& stream) {
  if (destination.size() != source.size()) destination = Array<T, To>(source.size());
  copy_bytes(To, destination.data(), From, source.data(), source.size() * sizeof(T), stream);
}

}  // namespace tidewise
