#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tidewise::ingest {

/// The upper one of two in the middle; of no values there is none.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tidewise::ingest
