#include "solver/reachable/marked_cells.h"

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

void MarkedCells::mark(const std::vector<CellIndex>& cells) {
  std::fill(before_.begin(), before_.end(), 0);
  for (const CellIndex cell : cells) line(grid_.row(cell) + 1)[grid_.column(cell) + 1] = 1;
  for (std::int32_t row = 0; row < grid_.ny; ++row) {
    const std::int32_t* south = line(row);
    std::int32_t* north = line(row + 1);
    std::int32_t marked = 0;
    for (std::int32_t column = 1; column <= grid_.nx; ++column) {
      marked += north[column];
      north[column] = south[column] + marked;
    }
  }
}

std::int32_t MarkedCells::count(CellBox box) const {
  box = box.within(grid_);
  if (box.is_empty()) return 0;
  const std::int32_t* south = line(box.south);
  const std::int32_t* north = line(box.north + 1);
  return north[box.east + 1] - north[box.west] - south[box.east + 1] + south[box.west];
}

}  // namespace tidewise
