#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "output/route/plane/plane_polygon.h"

namespace tidewise {

/// The outlines of marked cells. Cells that touch along edges share a polygon; polygons are in the
/// order of their first cells. No ring goes through a corner twice. marked: (y, x).
std::vector<PlanePolygon> outline_cells(const Grid& grid, const std::vector<std::uint8_t>& marked);

}  // namespace tidewise
