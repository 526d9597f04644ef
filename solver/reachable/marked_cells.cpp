#include "solver/reachable/marked_cells.h"

#include <algorithm>

namespace tidewise {

MarkedCells::MarkedCells(const Grid& grid)
    : grid_(grid),
      stride_(static_cast<std::size_t>(grid.nx) + 1),
      before_(stride_ * (static_cast<std::size_t>(grid.ny) + 1), 0) {}

void MarkedCells::mark_spans(const std::vector<std::int32_t>& edges) {
  for (std::int32_t row = 0; row < grid_.ny; ++row) {
    const std::int32_t* of_row = edges.data() + static_cast<std::size_t>(row) * stride_;
    const std::int32_t* south = line(row);
    std::int32_t* north = line(row + 1);
    std::int32_t spans = 0;
    std::int32_t marked = 0;
    for (std::int32_t column = 0; column < grid_.nx; ++column) {
      spans += of_row[column];
      marked += spans > 0 ? 1 : 0;
      north[column + 1] = south[column + 1] + marked;
    }
  }
}

bool MarkedCells::holds(const SubGrid& offsets, CellIndex cell) const {
  const std::int32_t west = std::max(grid_.column(cell) + offsets.dx_min, 0);
  const std::int32_t east = std::min(grid_.column(cell) + offsets.dx_max, grid_.nx - 1);
  const std::int32_t south = std::max(grid_.row(cell) + offsets.dy_min, 0);
  const std::int32_t north = std::min(grid_.row(cell) + offsets.dy_max, grid_.ny - 1);
  if (west > east || south > north) return true;
  const std::int32_t marked =
      line(north + 1)[east + 1] - line(north + 1)[west] - line(south)[east + 1] + line(south)[west];
  return marked == (east - west + 1) * (north - south + 1);
}

}  // namespace tidewise
