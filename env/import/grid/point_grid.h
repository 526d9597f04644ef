#pragma once

#include <cstddef>
#include <vector>

#include "env/import/grid/vector3.h"

namespace tidewise::ingest {

/// Points in rows and columns, each with its own position: a curvilinear or projected grid.
struct PointGrid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> longitude;    ///< [degrees], (row, column); NaN for points without position
  std::vector<double> latitude;     ///< [degrees], (row, column); NaN for points without position
  double eccentricity_squared = 0;  ///< ellipsoid of the latitudes; 0: a sphere

  std::size_t size() const { return rows * columns; }
  bool has_place(std::size_t n) const { return !std::isnan(longitude[n]); }
  GeographicPoint place(std::size_t n) const { return {longitude[n], latitude[n]}; }
  Vector3 up(std::size_t n) const { return Compass(place(n)).up; }
};

/// Removes positions that are not on Earth, and positions shared by more points than in a grid
/// folded on itself, because models write 0 E 0 N for land that they leave out.
void drop_placeless(PointGrid& grid);

/// The median distance to the next column, as an angle at the Earth's centre [rad]; 0 if no two
/// neighbours have positions.
double usual_column_step(const PointGrid& grid);
/// The median distance to the next row; as usual_column_step().
double usual_row_step(const PointGrid& grid);

/// True if the first column follows the last: a grid around the globe.
bool is_cyclic(const PointGrid& grid);

/// True if the last row is folded on itself, as in the far north of a tripolar grid: each point is
/// one row step away from the point of the column counted from the other end.
bool is_folded(const PointGrid& grid);

}  // namespace tidewise::ingest
