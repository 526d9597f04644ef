#pragma once

#include <optional>

#include "env/import/grid/point_grid.h"
#include "env/import/grid/source_grid.h"

namespace tidewise::ingest {

/// The points where both components of a velocity are to be had.
struct CommonPoints {
  PointGrid grid;
  std::size_t first_row = 0;     ///< of `grid`, in the numbering of u's rows
  std::size_t first_column = 0;  ///< likewise, of v's columns
  /// Arakawa's C grid: a point lies between two columns of u and two rows of v.
  bool staggered = false;
  std::size_t u_before = 0;  ///< u's first column of a point is its own less this: 0 or 1
  std::size_t v_before = 0;  ///< v's first row, likewise
  bool cyclic = false;       ///< u's first column follows its last

  /// The columns of faces and corners of a part, of so many columns of cells: one more, unless the
  /// part goes around the globe.
  std::size_t half_columns(std::size_t columns) const {
    return 2 * columns + (cyclic && columns == grid_columns ? 0 : 1);
  }
  std::size_t grid_columns = 0;  ///< of `grid`, also where that is left out
};

/// Of u and v half a cell apart, one along the columns and one along the rows: the points between
/// them, where Arakawa's C grid has its tracers. Nothing where they lie otherwise.
std::optional<CommonPoints> between(const PointGrid& u, const PointGrid& v);

/// Puts the centres, faces and corners of a C grid's cells in place of the points of `part`, which
/// are those of `common`. Between them each component is bilinear as between its own points.
void add_faces(const PointGrid& u, const PointGrid& v, const CommonPoints& common,
               SourceGrid& part);

}  // namespace tidewise::ingest
