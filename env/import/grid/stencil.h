#pragma once

#include <array>
#include <cstdint>

namespace tidewise::ingest {

/// The four source points around a target, and its position between them.
struct Stencil {
  static constexpr std::uint32_t none = 0xffffffff;

  /// Indices of the points: first row first column, first row next column, next row first column,
  /// next row next column. `none` outside the source's area.
  std::array<std::uint32_t, 4> point{none, none, none, none};
  double across = 0;  ///< 0 … 1 from the first column to the next
  double along = 0;   ///< 0 … 1 from the first row to the next
};

}  // namespace tidewise::ingest
