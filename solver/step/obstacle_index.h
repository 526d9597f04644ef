#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise {

/// Marked cells of a grid, counted in boxes by summed-area tables (Crow, SIGGRAPH 1984).
class MarkedCells {
 public:
  /// Initially no cell is marked.
  explicit MarkedCells(const Grid& grid)
      : grid_(grid), sums_(stride() * (static_cast<std::size_t>(grid.ny) + 1), 0) {}

  /// Marks exactly the cells for which is_marked(column, row) is true. Calls it from south to north
  /// and from west to east.
  template <class IsMarked>
  void mark(IsMarked is_marked) {
    std::int32_t* south = sums_.data();
    for (std::int32_t row = 0; row < grid_.ny; ++row, south += stride()) {
      std::int32_t marked = 0;
      for (std::int32_t column = 0; column < grid_.nx; ++column) {
        marked += is_marked(column, row) ? 1 : 0;
        south[stride() + static_cast<std::size_t>(column) + 1] = south[column + 1] + marked;
      }
    }
  }

  /// True if columns [i_first, i_last] × rows [j_first, j_last] contain a marked cell. The part
  /// outside the grid is ignored.
  bool any(std::int32_t i_first, std::int32_t i_last, std::int32_t j_first,
           std::int32_t j_last) const {
    return count_box(i_first, i_last, j_first, j_last).marked > 0;
  }
  /// True if these columns and rows contain only marked cells. The part outside the grid is
  /// ignored.
  bool all(std::int32_t i_first, std::int32_t i_last, std::int32_t j_first,
           std::int32_t j_last) const {
    const Counts cells = count_box(i_first, i_last, j_first, j_last);
    return cells.marked == cells.all;
  }

 private:
  struct Counts {
    std::int32_t all;
    std::int32_t marked;
  };

  std::size_t stride() const { return static_cast<std::size_t>(grid_.nx) + 1; }
  Counts count_box(std::int32_t i_first, std::int32_t i_last, std::int32_t j_first,
                   std::int32_t j_last) const {
    const std::int32_t west = std::clamp(i_first, 0, grid_.nx);
    const std::int32_t east = std::clamp(i_last + 1, 0, grid_.nx);
    const std::int32_t south = std::clamp(j_first, 0, grid_.ny);
    const std::int32_t north = std::clamp(j_last + 1, 0, grid_.ny);
    const std::int32_t* below = sums_.data() + static_cast<std::size_t>(south) * stride();
    const std::int32_t* above = sums_.data() + static_cast<std::size_t>(north) * stride();
    return {(east - west) * (north - south), above[east] - above[west] - below[east] + below[west]};
  }

  Grid grid_;
  // (y + 1, x + 1): number of marked cells south-west of this corner
  std::vector<std::int32_t> sums_;
};

/// Cells that are closed at level k or k+1.
struct ObstacleIndex : MarkedCells {
  ObstacleIndex(const Grid& grid, View<const std::uint8_t> masked_now,
                View<const std::uint8_t> masked_next)
      : MarkedCells(grid) {
    mark([&](std::int32_t column, std::int32_t row) {
      const auto cell = static_cast<std::size_t>(grid.cell(column, row).value);
      return masked_now[cell] != 0 || masked_next[cell] != 0;
    });
  }
};

}  // namespace tidewise
