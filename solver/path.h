#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/view.h"
#include "env/grid.h"
#include "model_builder/displacement.h"

namespace tidewise {

TIDEWISE_HOST_DEVICE inline std::int32_t magnitude(std::int32_t n) { return n < 0 ? -n : n; }

/// Whether the cell (i, j), relative to the start, is on the straight way to `to`: the closed cell
/// meets the closed segment between the centres (design section 2). way_is_blocked() finds the same
/// cells without asking for each.
TIDEWISE_HOST_DEVICE inline bool on_the_way(std::int32_t i, std::int32_t j, Offset to) {
  const std::int32_t cross = i * to.dy - j * to.dx;
  return 2 * magnitude(cross) <= magnitude(to.dx) + magnitude(to.dy);
}

/// Whether a cell is closed at level k or at k+1; none outside the grid is. closed_*: (y, x).
TIDEWISE_HOST_DEVICE inline bool closed_at(const Grid& grid, View<const std::uint8_t> closed_now,
                                           View<const std::uint8_t> closed_next,
                                           std::int32_t column, std::int32_t row) {
  if (!grid.contains(column, row)) return false;
  const auto cell = static_cast<std::size_t>(grid.cell(column, row).value);
  return closed_now[cell] != 0 || closed_next[cell] != 0;
}

/// Whether a cell on the way from (column, row) to its neighbour at `to`, or the neighbour itself,
/// is closed at level k or k+1. The start cell is excepted unless the vehicle stays in it, when its
/// closing at k+1 counts. Cells outside the grid do not block. closed_*: (y, x).
TIDEWISE_HOST_DEVICE inline bool way_is_blocked(const Grid& grid,
                                                View<const std::uint8_t> closed_now,
                                                View<const std::uint8_t> closed_next,
                                                std::int32_t column, std::int32_t row, Offset to) {
  const auto closed = [&](std::int32_t i, std::int32_t j) {
    return closed_at(grid, closed_now, closed_next, column + i, row + j);
  };
  if (to.dx == 0 && to.dy == 0) return closed(0, 0);
  // A neighbour, as most are: all of the rectangle is on the way.
  if (magnitude(to.dx) <= 1 && magnitude(to.dy) <= 1) {
    return closed(to.dx, to.dy) ||
           (to.dx != 0 && to.dy != 0 && (closed(to.dx, 0) || closed(0, to.dy)));
  }
  // Outwards row by row: in each the cells on the way are neighbours, and those of the next row
  // begin no nearer to the start. What lies outside the grid is not gone through, however far it
  // is.
  const std::int32_t columns = magnitude(to.dx);
  const std::int32_t rows = magnitude(to.dy);
  const std::int32_t columns_within = to.dx < 0 ? column : grid.nx - 1 - column;
  const std::int32_t rows_within = to.dy < 0 ? row : grid.ny - 1 - row;
  const std::int32_t i_last = columns < columns_within ? columns : columns_within;
  const std::int32_t j_last = rows < rows_within ? rows : rows_within;
  std::int32_t i_first = 0;
  for (std::int32_t j = 0; j <= j_last; ++j) {
    for (std::int32_t i = i_first; i <= i_last; ++i) {
      const std::int32_t cross = 2 * (i * rows - j * columns);
      if (cross > columns + rows) break;
      if (cross < -(columns + rows)) {
        i_first = i + 1;
        continue;
      }
      if (i == 0 && j == 0) continue;
      if (closed(to.dx < 0 ? -i : i, to.dy < 0 ? -j : j)) return true;
    }
  }
  return false;
}

}  // namespace tidewise
