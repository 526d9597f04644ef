#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "env/grid.h"
#include "model_builder/step/displacement.h"

namespace tidewise {

/// |n|.
TIDEWISE_HOST_DEVICE inline std::int32_t magnitude(std::int32_t n) { return n < 0 ? -n : n; }

/// True if the cell (i, j), relative to the start, is on the straight path to `to`: the cell and
/// the segment between the centres, both with their boundaries, have a common point (docs/model.md,
/// 3.3).
TIDEWISE_HOST_DEVICE inline bool is_on_path(std::int32_t i, std::int32_t j, Offset to) {
  const std::int32_t cross = i * to.dy - j * to.dx;
  return 2 * magnitude(cross) <= magnitude(to.dx) + magnitude(to.dy);
}

/// True if a cell is masked at level k or k+1; false outside the grid. masked_*: (y, x).
TIDEWISE_HOST_DEVICE inline bool masked_at(const Grid& grid, View<const std::uint8_t> masked_now,
                                           View<const std::uint8_t> masked_next,
                                           std::int32_t column, std::int32_t row) {
  if (!grid.contains(column, row)) return false;
  const auto cell = static_cast<std::size_t>(grid.cell(column, row).value);
  return masked_now[cell] != 0 || masked_next[cell] != 0;
}

/// Offsets from `first` to `last`, both included.
struct OffsetBox {
  Offset first;
  Offset last;
};

/// The box of the offsets between `first` and `last` and of the start itself, without those outside
/// the grid: landings may lie far outside.
TIDEWISE_HOST_DEVICE inline OffsetBox box_with_start(const Grid& grid, std::int32_t column,
                                                     std::int32_t row, Offset first, Offset last) {
  const auto larger = [](std::int32_t a, std::int32_t b) { return a < b ? b : a; };
  const auto smaller = [](std::int32_t a, std::int32_t b) { return a < b ? a : b; };
  return {{larger(smaller(first.dx, 0), -column), larger(smaller(first.dy, 0), -row)},
          {smaller(larger(last.dx, 0), grid.nx - 1 - column),
           smaller(larger(last.dy, 0), grid.ny - 1 - row)}};
}

/// True if matches(column, row) is true for a cell of the path from (column, row) to its neighbour
/// at `to`, the neighbour included. The start cell is left out unless the vehicle stays in it.
/// Cells outside the grid are left out.
template <class Matches>
TIDEWISE_HOST_DEVICE bool any_on_path(const Grid& grid, std::int32_t column, std::int32_t row,
                                      Offset to, Matches&& matches) {
  if (to.dx == 0 && to.dy == 0) return matches(column, row);
  const OffsetBox box = box_with_start(grid, column, row, to, to);
  for (std::int32_t j = box.first.dy; j <= box.last.dy; ++j) {
    for (std::int32_t i = box.first.dx; i <= box.last.dx; ++i) {
      if (i == 0 && j == 0) continue;
      if (is_on_path(i, j, to) && matches(column + i, row + j)) return true;
    }
  }
  return false;
}

/// True if a cell on the path from (column, row) to its neighbour at `to`, the neighbour included,
/// is closed at level k or k+1. If the vehicle stays, its own cell blocks if it closes. Cells
/// outside the grid do not block. masked_*: (y, x).
TIDEWISE_HOST_DEVICE inline bool path_is_blocked(const Grid& grid,
                                                 View<const std::uint8_t> masked_now,
                                                 View<const std::uint8_t> masked_next,
                                                 std::int32_t column, std::int32_t row, Offset to) {
  return any_on_path(grid, column, row, to, [&](std::int32_t i, std::int32_t j) {
    return masked_at(grid, masked_now, masked_next, i, j);
  });
}

/// Cell at which the fields of level k+1 are read for a path from (column, row) to `to`: its end,
/// or its start if the end lies outside the grid, which is possible beyond a target's disc.
TIDEWISE_HOST_DEVICE inline std::int32_t field_cell(const Grid& grid, std::int32_t column,
                                                    std::int32_t row, Offset to) {
  const bool inside = grid.contains(column + to.dx, row + to.dy);
  return inside ? grid.cell(column + to.dx, row + to.dy).value : grid.cell(column, row).value;
}

}  // namespace tidewise
