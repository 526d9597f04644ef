#pragma once

#include <cstdint>

namespace tidewise {

/// The indices first, first + 1, … last; empty if last < first.
struct IndexRange {
  std::int32_t first = 0;
  std::int32_t last = -1;

  /// Number of indices.
  std::int32_t count() const { return last - first + 1; }
  /// True if n is in the range.
  bool contains(std::int32_t n) const { return n >= first && n <= last; }
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

}  // namespace tidewise
