#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "env/points.h"
#include "tidewise/polygon.h"

namespace tidewise {

/// Turns polygons into cells of a grid. A polygon's cells are those whose centre lies in it (edges
/// are straight in the polygon's coordinates; holes are outside). If a polygon contains no centre,
/// such as a rock or a thin wall, its cells are those that its outline passes through.
class AreaCells {
 public:
  /// For polygons in the grid's x and y.
  explicit AreaCells(const Grid& grid);
  /// For polygons in degrees. Longitude and latitude are those of the cell centres, (y, x).
  AreaCells(const Grid& grid, std::vector<double> longitude, std::vector<double> latitude);

  /// The polygon's cells, ascending; empty if the polygon lies outside the grid.
  std::vector<std::int32_t> operator()(const Polygon& polygon) const;

 private:
  bool is_geographic() const { return !longitude_.empty(); }
  Vertex centre_of(std::int32_t cell) const;
  std::vector<std::int32_t> cells_along(const Ring& outline) const;
  /// Length of an edge in cells.
  double length_in_cells(const Vertex& from, const Vertex& to) const;

  Grid grid_;
  std::vector<double> longitude_;  // (y, x); empty for polygons in x and y
  std::vector<double> latitude_;
  // Degrees of latitude per cell in the middle of the grid; the smaller of both axes' values.
  double degrees_per_cell_ = 1;
};

}  // namespace tidewise
