#pragma once

#include <vector>

#include "env/grid.h"
#include "output/route/plane/plane_polygon.h"

namespace tidewise {

/// Region in which a field (y, x) is at least `min`: linear between the centres of cells, ending
/// at the edge of a cell next to one without a number (NaN) and at the border of the grid. Polygons
/// are in the order of their first cells; none touches itself or another.
std::vector<PlanePolygon> contour(const Grid& grid, const std::vector<float>& field, double min);

}  // namespace tidewise
