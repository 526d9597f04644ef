#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tidewise::ingest {

/// The median. It is the upper one of two middle values, and 0 for no values.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tidewise::ingest
