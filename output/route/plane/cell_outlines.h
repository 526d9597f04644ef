#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "output/route/plane/plane_polygon.h"

namespace tidewise {

/// The outlines of the cells that are marked, (y, x), a polygon for those that touch along edges,
/// in the order of their first cells. No ring goes through a corner twice.
std::vector<PlanePolygon> outline_cells(const Grid& grid, const std::vector<std::uint8_t>& marked);

}  // namespace tidewise
