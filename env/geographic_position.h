#pragma once

#include <optional>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// A point of the grid's plane [m or 1].
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// The point of the plane at a longitude and latitude [degrees]: the inverse of the bilinear field
/// through the cell centres' longitude and latitude, (y, x), extended half a cell beyond the outer
/// ones. Longitudes that differ by whole turns are the same. Nothing when the point lies in no
/// cell.
std::optional<PlanePoint> to_plane(const Grid& grid, const std::vector<double>& longitude,
                                   const std::vector<double>& latitude, double point_longitude,
                                   double point_latitude);

}  // namespace tidewise
