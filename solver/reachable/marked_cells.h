#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {

/// Cells of a grid that are marked, counted in boxes (Crow, SIGGRAPH 1984: summed-area tables).
class MarkedCells {
 public:
  /// None.
  explicit MarkedCells(const Grid& grid);

  /// Those in a span, and no others. edges: (y, x + 1), spans that begin here less those that end.
  void mark_spans(const std::vector<std::int32_t>& edges);
  /// Whether all cells at these offsets from a cell are marked that lie in the grid.
  bool holds(const SubGrid& offsets, CellIndex cell) const;

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
