#pragma once

#include <cstdint>

#include "model_builder/step/displacement.h"

namespace tidewise {

/// Where the policy's action leads from one cell: a window of offsets and how many realizations (or
/// how much of their weight) land at each. Trivially copyable; borrows the counts.
struct LandingStencil {
  Offset origin;                   ///< the south-western corner
  std::int32_t width = 0;          ///< columns; 0 where the cell has no action
  std::int32_t height = 0;         ///< rows
  std::int32_t stride = 0;         ///< from row to row in `count`
  std::uint32_t* count = nullptr;  ///< (row from the south, column from the west)

  TIDEWISE_HOST_DEVICE std::uint32_t& at(std::int32_t column, std::int32_t row) const {
    return count[static_cast<std::size_t>(row) * static_cast<std::size_t>(stride) +
                 static_cast<std::size_t>(column)];
  }
  /// The count at an offset; 0 outside the window.
  TIDEWISE_HOST_DEVICE std::uint32_t count_at(Offset to) const {
    const std::int32_t column = to.dx - origin.dx;
    const std::int32_t row = to.dy - origin.dy;
    if (column < 0 || column >= width || row < 0 || row >= height) return 0;
    return at(column, row);
  }
};

}  // namespace tidewise
