#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "env/grid.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {

/// Columns and rows, all ends included.
struct CellBox {
  std::int32_t west = std::numeric_limits<std::int32_t>::max();
  std::int32_t east = std::numeric_limits<std::int32_t>::min();
  std::int32_t south = std::numeric_limits<std::int32_t>::max();
  std::int32_t north = std::numeric_limits<std::int32_t>::min();

  /// That of offsets from a cell.
  static CellBox of(const SubGrid& offsets, const Grid& grid, CellIndex cell) {
    const std::int32_t column = grid.column(cell);
    const std::int32_t row = grid.row(cell);
    return {column + offsets.dx_min, column + offsets.dx_max, row + offsets.dy_min,
            row + offsets.dy_max};
  }
  void include(std::int32_t column, std::int32_t row) {
    west = std::min(west, column);
    east = std::max(east, column);
    south = std::min(south, row);
    north = std::max(north, row);
  }
  bool meets(const CellBox& other) const {
    return west <= other.east && other.west <= east && south <= other.north && other.south <= north;
  }
  CellBox within(const Grid& grid) const {
    return {std::max(west, 0), std::min(east, grid.nx - 1), std::max(south, 0),
            std::min(north, grid.ny - 1)};
  }
  bool is_empty() const { return west > east || south > north; }
  std::int32_t size() const { return is_empty() ? 0 : (east - west + 1) * (north - south + 1); }
};

/// Cells of a grid that are marked, counted in boxes (Crow, SIGGRAPH 1984: summed-area tables).
class MarkedCells {
 public:
  /// None.
  explicit MarkedCells(const Grid& grid);

  /// Those in a span, and no others. edges: (y, x + 1), spans that begin here less those that end.
  void mark_spans(const std::vector<std::int32_t>& edges);
  /// These and no others.
  void mark(const std::vector<CellIndex>& cells);
  /// How many are marked in a box, as far as it lies in the grid.
  std::int32_t count(CellBox box) const;
  /// Whether all of them are.
  bool holds(const CellBox& box) const { return count(box) == box.within(grid_).size(); }

 private:
  std::int32_t* line(std::int32_t row) {
    return before_.data() + static_cast<std::size_t>(row) * stride_;
  }
  const std::int32_t* line(std::int32_t row) const {
    return before_.data() + static_cast<std::size_t>(row) * stride_;
  }

  Grid grid_;
  std::size_t stride_;
  std::vector<std::int32_t> before_;  // (y + 1, x + 1): marked to the south-west of this corner
};

}  // namespace tidewise
