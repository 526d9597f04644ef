#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/grid.h"

namespace tidewise {

/// Where a segment first meets what bars it.
struct SegmentHit {
  enum class Kind : std::uint8_t { none, hit } kind = Kind::none;
  double at = 1;  ///< 0 … 1 along the segment; 1 where nothing was met
};

/// Walks the straight segment from (x0, y0) to (x1, y1) through the cells it touches after the
/// first, in order, and stops in the first one that bars it. It ends in the cell that holds (x1,
/// y1). Where the segment passes through a corner it touches both cells beside it. Cells outside
/// the grid are visited too, as far as its own width and height beyond it: a flow of 1e30 would
/// otherwise be walked for hours where nothing can bar it. Bars: bool(std::int32_t column,
/// std::int32_t row). Source: Amanatides and Woo, "A fast voxel traversal algorithm for ray
/// tracing", Eurographics 1987; with the crossings counted beforehand, so that rounding cannot lead
/// the walk astray.
template <class Bars>
TIDEWISE_HOST_DEVICE SegmentHit walk_segment(const Grid& grid, double x0, double y0, double x1,
                                             double y1, const Bars& bars) {
  std::int32_t i = grid.column_at(x0);
  std::int32_t j = grid.row_at(y0);
  const std::int32_t i_step = x1 < x0 ? -1 : 1;
  const std::int32_t j_step = y1 < y0 ? -1 : 1;
  std::int32_t i_left = (grid.column_at(x1) - i) * i_step;  // edges still to cross
  std::int32_t j_left = (grid.row_at(y1) - j) * j_step;
  const std::int32_t i_most = i_step > 0 ? 2 * grid.nx - i : i + grid.nx;
  const std::int32_t j_most = j_step > 0 ? 2 * grid.ny - j : j + grid.ny;
  if (i_left > i_most) i_left = i_most;
  if (j_left > j_most) j_left = j_most;
  // Where along the segment the next edge of the cell is; edges lie half a spacing off the centres.
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
    if (i_at == j_at) {  // both are asked, whatever the first says
      const bool beside_x = bars(i + i_step, j);
      const bool beside_y = bars(i, j + j_step);
      if (beside_x || beside_y) return {SegmentHit::Kind::hit, at};
    }
    if (i_at <= j_at) {
      i += i_step;
      --i_left;
    }
    if (j_at <= i_at) {
      j += j_step;
      --j_left;
    }
    if (bars(i, j)) return {SegmentHit::Kind::hit, at};
  }
  return {};
}

}  // namespace tidewise
