#pragma once

#include <optional>

#include "env/import/grid/point_grid.h"
#include "env/import/grid/source_grid.h"

namespace tidewise::ingest {

/// The points at which both components of a velocity are read.
struct CommonPoints {
  PointGrid grid;
  std::size_t first_row = 0;     ///< first row of `grid`, in the numbering of u's rows
  std::size_t first_column = 0;  ///< first column of `grid`, in the numbering of v's columns
  /// True on Arakawa's C grid: a point lies between two columns of u and two rows of v.
  bool staggered = false;
  std::size_t u_before = 0;  ///< column of a point minus that of the adjacent u before it: 0 or 1
  std::size_t v_before = 0;  ///< row of a point minus that of the adjacent v before it: 0 or 1
  bool cyclic = false;       ///< u's first column follows its last

  /// Number of columns of faces, centres and corners in a part with `columns` columns of cells:
  /// twice that number plus one, or without the one if the part goes around the globe.
  std::size_t half_columns(std::size_t columns) const {
    return 2 * columns + (cyclic && columns == grid_columns ? 0 : 1);
  }
  std::size_t grid_columns = 0;  ///< number of columns of `grid`, even if `grid` is left out
};

/// The common points of u and v, which lie half a cell apart along the columns and along the rows:
/// the points between them, where Arakawa's C grid has its tracers. nullopt for other arrangements.
std::optional<CommonPoints> find_common_points(const PointGrid& u, const PointGrid& v);

/// Replaces the points of `part`, which are those of `common`, by the centres, faces and corners of
/// a C grid's cells. Between these each component is as bilinear as between its own points.
void add_faces(const PointGrid& u, const PointGrid& v, const CommonPoints& common,
               SourceGrid& part);

}  // namespace tidewise::ingest
