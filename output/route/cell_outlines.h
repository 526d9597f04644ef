#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "env/points.h"

namespace tidewise {

/// Cells that touch along edges, as a polygon: corners, the last joined to the first. No ring goes
/// through a corner twice.
struct CellOutline {
  std::vector<PlanePoint> outer;               ///< counter-clockwise
  std::vector<std::vector<PlanePoint>> holes;  ///< clockwise
};

/// The outlines of the cells that are marked, (y, x), in the order of their first cells.
std::vector<CellOutline> outline_cells(const Grid& grid, const std::vector<std::uint8_t>& marked);

}  // namespace tidewise
