#pragma once

#include <vector>

#include "base/memory/array.h"

namespace tidewise::mdp {

/// Copies `values` to the memory of `Space`; complete when it returns.
template <MemorySpace Space, class T>
Array<T, Space> array_of(const std::vector<T>& values) {
  Array<T, Space> there(values.size());
  copy_bytes(Space, there.data(), MemorySpace::host, values.data(), values.size() * sizeof(T));
  return there;
}
/// Copies the elements to host memory; complete when it returns.
template <MemorySpace Space, class T>
std::vector<T> vector_of(const Array<T, Space>& values) {
  std::vector<T> here(values.size());
  copy_bytes(MemorySpace::host, here.data(), Space, values.data(), values.size() * sizeof(T));
  return here;
}

}  // namespace tidewise::mdp
