#pragma once

#include <vector>

#include "env/grid.h"
#include "output/route/plane/plane_polygon.h"

namespace tidewise {

/// Where a field (y, x) is `least` or more: linear between the centres of cells, and ending at the
/// cell's edge beside a cell without a number (NaN) and at the border of the grid. Polygons in the
/// order of their first cells; none touches itself or another.
std::vector<PlanePolygon> contour(const Grid& grid, const std::vector<float>& field, double least);

}  // namespace tidewise
