#pragma once

#include <cstddef>
#include <vector>

#include "env/import/grid/vector3.h"

namespace tidewise::ingest {

/// Points in rows and columns, each at a place of its own: a curvilinear or projected grid.
struct PointGrid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> longitude;    ///< [degrees], (row, column); NaN where there is no place
  std::vector<double> latitude;     ///< likewise
  double eccentricity_squared = 0;  ///< of the ellipsoid of these latitudes; 0: a sphere

  std::size_t size() const { return rows * columns; }
  bool has_place(std::size_t n) const { return !std::isnan(longitude[n]); }
  GeographicPoint place(std::size_t n) const { return {longitude[n], latitude[n]}; }
  Vector3 up(std::size_t n) const { return Compass(place(n)).up; }
};

/// Takes the place from points that have none on Earth, and from those that share one with more
/// neighbours than a grid folded on itself has: models write 0 E 0 N where they left out land.
void drop_placeless(PointGrid& grid);

/// The usual distance to the next column and to the next row, as angles at the Earth's centre
/// [rad]; 0 where no two neighbours have places.
double usual_column_step(const PointGrid& grid);
double usual_row_step(const PointGrid& grid);

/// Whether the first column follows the last: a grid around the globe.
bool is_cyclic(const PointGrid& grid);

/// Whether the last row is folded on itself, each point a row's step from that of the column
/// counted from the other end: the far north of a tripolar grid.
bool is_folded(const PointGrid& grid);

}  // namespace tidewise::ingest
