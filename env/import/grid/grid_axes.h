#pragma once

#include <cstddef>
#include <vector>

#include "env/import/grid/point_grid.h"

namespace tidewise::ingest {

/// Where a grid's own axes point.
struct GridAxes {
  /// Of the angle from east to where columns grow, counter-clockwise: (row, column); NaN where the
  /// neighbours of a point have no places.
  std::vector<double> cosine, sine;
  double handedness = 1;  ///< 1 where rows grow to the left of columns, -1 to the right
  double skew = 0;        ///< mean over the points of |cos| of the angle between both axes

  double angle(std::size_t n) const { return std::atan2(sine[n], cosine[n]); }  ///< [rad]
  /// Whether columns grow to the east and rows to the north or south, within a fifth of a degree.
  bool along_east() const;
};

/// From neighbouring points, by differences of second order on the sphere or ellipsoid: exact for
/// any grid as its points come closer, at the poles too. `apart`: by neighbours so many points
/// away, where every other point lies midway between two and so a little off the grid's lines.
GridAxes axes_of(const PointGrid& grid, std::ptrdiff_t apart = 1);

}  // namespace tidewise::ingest
