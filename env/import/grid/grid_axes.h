#pragma once

#include <cstddef>
#include <vector>

#include "env/import/grid/point_grid.h"

namespace tidewise::ingest {

/// The directions of a grid's own axes.
struct GridAxes {
  /// Cosine and sine of the angle from east to the direction in which columns grow,
  /// counter-clockwise: (row, column); NaN if the neighbours of a point have no positions.
  std::vector<double> cosine, sine;
  double handedness = 1;  ///< 1 if rows grow to the left of columns, -1 if to the right
  double skew = 0;        ///< mean over the points of |cos| of the angle between both axes

  double angle(std::size_t n) const { return std::atan2(sine[n], cosine[n]); }  ///< [rad]
  /// True if columns grow to the east and rows to the north or south, within a fifth of a degree.
  bool along_east() const;
};

/// Computes the axes from neighbouring points, by differences of second order on the sphere or
/// ellipsoid, which converge for any grid, also at the poles. `distance`: to the neighbours, in
/// points; 2 for grids in which every other point is a midpoint that lies slightly off the grid's
/// lines.
GridAxes axes_of(const PointGrid& grid, std::ptrdiff_t distance = 1);

}  // namespace tidewise::ingest
