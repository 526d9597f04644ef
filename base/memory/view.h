#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "base/host_device.h"

namespace tidewise {

/// A stretch of memory that somebody else owns; trivially copyable, so it may go into a kernel.
/// Arrays and vectors become one where a function wants it.
template <class T>
struct View {
  T* data = nullptr;
  std::size_t size = 0;

  View() = default;
  TIDEWISE_HOST_DEVICE View(T* first, std::size_t count) : data(first), size(count) {}
  template <class Range>
  requires requires(Range& range) {
    { range.data() } -> std::convertible_to<T*>;
    range.size();
  }
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): a View has no data() to call
  View(Range&& range) : View(range.data(), range.size()) {}

  TIDEWISE_HOST_DEVICE T& operator[](std::size_t i) const { return data[i]; }
  TIDEWISE_HOST_DEVICE bool empty() const { return size == 0; }
  TIDEWISE_HOST_DEVICE T* begin() const { return data; }
  TIDEWISE_HOST_DEVICE T* end() const { return data + size; }
  /// Elements [offset, offset + count).
  TIDEWISE_HOST_DEVICE View part(std::size_t offset, std::size_t count) const {
    return {data + offset, count};
  }
  /// Of the same elements, not to be changed. (A template because nvcc warns of an operator that
  /// would lead from View<const T> to itself.)
  template <class Const>
  requires std::is_same_v<Const, const T> TIDEWISE_HOST_DEVICE operator View<Const>() const {
    return {data, size};
  }
};

template <class Range>
View(Range&& range) -> View<std::remove_pointer_t<decltype(range.data())>>;

}  // namespace tidewise
