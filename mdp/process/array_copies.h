#pragma once

#include <vector>

#include "base/memory/array.h"

namespace tidewise::mdp {

/// Copies `values` to the memory of `Space`; complete when it returns.
template <MemorySpace Space, class T>
Array<T, Space> array_of(const std::vector<T>& values) {
  Array<T, Space> copied(values.size());
  copy_bytes(Space, copied.data(), MemorySpace::host, values.data(), values.size() * sizeof(T));
  return copied;
}
/// Copies the elements to host memory; complete when it returns.
template <MemorySpace Space, class T>
std::vector<T> vector_of(const Array<T, Space>& values) {
  std::vector<T> copied(values.size());
  copy_bytes(MemorySpace::host, copied.data(), Space, values.data(), values.size() * sizeof(T));
  return copied;
}

}  // namespace tidewise::mdp
