#pragma once

#include <algorithm>
#include <cstdint>

namespace tidewise::gyre {

/// An environment's levels are kept in segments, each an environment file by itself. Every segment
/// has two levels at least, which a time axis needs.
struct Segments {
  static constexpr std::int32_t usual_length = 10;  // seconds to some twenty seconds of work

  std::int32_t level_count = 0;

  std::int32_t count() const { return std::max(1, level_count / usual_length); }
  std::int32_t first(std::int32_t n) const { return n * usual_length; }
  /// One past its last level; the last segment takes what is left over.
  std::int32_t end(std::int32_t n) const {
    return n + 1 == count() ? level_count : first(n) + usual_length;
  }
};

}  // namespace tidewise::gyre
