#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace tidewise::python {

// Arrays are returned with an owner and without a copy: nanobind passes them to NumPy, and by
// DLPack to other libraries.

template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::c_contig>;

/// An array that takes over the elements of `values`.
template <class T>
Array<T> array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const nanobind::capsule owner(
      owned.get(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  (void)owned.release();
  return Array<T>(data, shape, owner);
}

template <class T>
Array<T> array_of(std::vector<T> values) {
  const std::size_t size = values.size();
  return array_of(std::move(values), {size});
}

}  // namespace tidewise::python
