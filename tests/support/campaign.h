#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace tidewise::test {

/// True if campaigns try every combination (TIDEWISE_NIGHT=1, scripts/nightly.sh); otherwise they
/// try a sample that takes seconds.
inline bool is_night() { return std::getenv("TIDEWISE_NIGHT") != nullptr; }

/// Returns all elements at night, otherwise the element at index `turn` modulo their number.
template <class T>
std::vector<T> sample_of(const std::vector<T>& all, std::size_t turn) {
  return is_night() ? all : std::vector<T>{all[turn % all.size()]};
}

}  // namespace tidewise::test
