#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise {

/// Answers at once whether any cell of a window is closed at level k or k+1, by a summed-area
/// table.
class ObstacleIndex {
 public:
  ObstacleIndex(const Grid& grid, View<const std::uint8_t> masked_now,
                View<const std::uint8_t> masked_next);

  /// Whether columns [i_first, i_last] × rows [j_first, j_last], as far as they lie in the grid,
  /// hold a closed cell.
  bool any(std::int32_t i_first, std::int32_t i_last, std::int32_t j_first,
           std::int32_t j_last) const;

 private:
  Grid grid_;
  std::vector<std::int32_t> sums_;  // (ny + 1, nx + 1)
};

}  // namespace tidewise
