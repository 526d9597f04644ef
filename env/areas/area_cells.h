#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "env/points.h"
#include "tidewise/polygon.h"

namespace tidewise {

/// Turns polygons into cells of a grid. A polygon's cells are those whose centre lies in it (edges
/// straight in the polygon's coordinates; holes are outside), and of a polygon that holds no
/// centre, a rock or a thin wall, those that its outline passes through.
class AreaCells {
 public:
  /// Polygons in the grid's x and y.
  explicit AreaCells(const Grid& grid);
  /// Polygons in degrees. Longitude and latitude are those of the cell centres, (y, x).
  AreaCells(const Grid& grid, std::vector<double> longitude, std::vector<double> latitude);

  /// Ascending; none where the polygon lies outside the grid.
  std::vector<std::int32_t> operator()(const Polygon& polygon) const;

 private:
  bool is_geographic() const { return !longitude_.empty(); }
  Vertex centre_of(std::int32_t cell) const;
  std::vector<std::int32_t> cells_along(const Ring& outline) const;
  /// How many of the grid's cells an edge is long.
  double length_in_cells(const Vertex& from, const Vertex& to) const;

  Grid grid_;
  std::vector<double> longitude_;  // (y, x); empty for polygons in x and y
  std::vector<double> latitude_;
  double degrees_a_cell_ = 1;  // of latitude, the least along either axis in the grid's middle
};

}  // namespace tidewise
