#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "base/host_device.h"

namespace tidewise {

/// A range of elements that the view does not own; trivially copyable, so that kernels can take it.
/// Arrays and vectors convert to it implicitly.
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
  /// The same elements, const. (A template because nvcc warns of an operator that would convert
  /// View<const T> to itself.)
  template <class Const>
  requires std::is_same_v<Const, const T> TIDEWISE_HOST_DEVICE operator View<Const>() const {
    return {data, size};
  }
};

template <class Range>
View(Range&& range) -> View<std::remove_pointer_t<decltype(range.data())>>;

}  // namespace tidewise
