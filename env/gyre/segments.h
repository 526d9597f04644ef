#pragma once

#include <algorithm>
#include <cstdint>

namespace tidewise::gyre {

/// Division of an environment's levels into segments, each an environment file. Every segment has
/// at least two levels, which a time axis needs.
struct Segments {
  static constexpr std::int32_t usual_length = 10;  // [levels] a few to twenty seconds of work

  std::int32_t level_count = 0;

  std::int32_t count() const { return std::max(1, level_count / usual_length); }
  std::int32_t first(std::int32_t n) const { return n * usual_length; }
  /// One past the last level of segment n; the last segment takes the remaining levels.
  std::int32_t end(std::int32_t n) const {
    return n + 1 == count() ? level_count : first(n) + usual_length;
  }
};

}  // namespace tidewise::gyre
