#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"

namespace tidewise {

/// The first point of a segment that lies in a blocking cell.
struct SegmentHit {
  enum class Kind : std::uint8_t { none, hit } kind = Kind::none;
  double at = 1;  ///< 0 … 1 along the segment; 1 if no cell blocks it
};

/// Walks the straight segment from (x0, y0) to (x1, y1) through the cells after the first, in
/// order, and stops in the first cell that blocks it. It ends in the cell that contains (x1, y1). A
/// segment through a corner touches both adjacent cells. Cells outside the grid are visited, but
/// only up to the grid's own width and height beyond it: with a flow of 1e30 the walk would take
/// hours where no cell can block. Blocks: bool(std::int32_t column, std::int32_t row), true for a
/// blocking cell. Source: Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing",
/// Eurographics 1987; here crossings are counted first, so that rounding cannot change the end.
template <class Blocks>
TIDEWISE_HOST_DEVICE SegmentHit walk_segment(const Grid& grid, double x0, double y0, double x1,
                                             double y1, const Blocks& blocks) {
  std::int32_t i = grid.column_at(x0);
  std::int32_t j = grid.row_at(y0);
  const std::int32_t i_step = x1 < x0 ? -1 : 1;
  const std::int32_t j_step = y1 < y0 ? -1 : 1;
  std::int32_t i_left = (grid.column_at(x1) - i) * i_step;  // edges still to cross
  std::int32_t j_left = (grid.row_at(y1) - j) * j_step;
  const std::int32_t i_max = i_step > 0 ? 2 * grid.nx - i : i + grid.nx;
  const std::int32_t j_max = j_step > 0 ? 2 * grid.ny - j : j + grid.ny;
  if (i_left > i_max) i_left = i_max;
  if (j_left > j_max) j_left = j_max;
  // Fraction of the segment at which it crosses the cell's next edge, half a spacing from the
  // centre.
  const auto crossing = [](double from, double to, double centre, double spacing,
                           std::int32_t direction) {
    const double at = (centre + direction * spacing / 2 - from) / (to - from);
    return at < 0 ? 0.0 : (at > 1 ? 1.0 : at);
  };
  while (i_left > 0 || j_left > 0) {
    const double never = 2;
    const double i_at = i_left > 0 ? crossing(x0, x1, grid.x(i), grid.dx, i_step) : never;
    const double j_at = j_left > 0 ? crossing(y0, y1, grid.y(j), grid.dy, j_step) : never;
    const double at = i_at < j_at ? i_at : j_at;
    if (i_at == j_at) {  // blocks() has to be called for both cells
      const bool blocks_x = blocks(i + i_step, j);
      const bool blocks_y = blocks(i, j + j_step);
      if (blocks_x || blocks_y) return {SegmentHit::Kind::hit, at};
    }
    if (i_at <= j_at) {
      i += i_step;
      --i_left;
    }
    if (j_at <= i_at) {
      j += j_step;
      --j_left;
    }
    if (blocks(i, j)) return {SegmentHit::Kind::hit, at};
  }
  return {};
}

}  // namespace tidewise
