#pragma once

#include <string>
#include <vector>

#include "env/grid.h"
#include "env/import/grid/local_plane.h"
#include "env/import/grid/source_grid.h"

namespace tidewise::ingest {

/// The environment's cells on a local plane around the middle of the source's area.
struct TargetGrid {
  Grid grid;
  std::vector<double> longitude;  ///< at cell centres [degrees], (y, x), continuous
  std::vector<double> latitude;   ///< at cell centres [degrees], (y, x)
  std::vector<PlanePoint> north;  ///< unit vector to true north at cell centres, (y, x)
};

/// The middle of the source's area, to a thousandth of a degree.
GeographicPoint middle_of(const SourceGrid& source);

/// The source's own spacing [m], divided by `parts`: the geometric mean of its median steps along
/// both axes, to two digits.
double own_spacing(const SourceGrid& source, int parts = 1);

/// The greatest relative error of lengths on the plane. Errors: InputError if the source's area (of
/// `file`) is too wide for one plane.
double validate_extent(const SourceGrid& source, const LocalPlane& plane, const std::string& file);

/// Refuses cells of `spacing` [m] in an area of `width` × `height` [m] if they are fewer than 2 ×
/// 2, or too many for memory. Errors: InputError.
void validate_cells(double nx, double ny, double spacing, double width, double height);

/// Cells at whole multiples of `spacing` [m] from the plane's origin that cover the source's area.
/// Errors: those of validate_cells().
TargetGrid make_target_grid(const SourceGrid& source, const LocalPlane& plane, double spacing);

}  // namespace tidewise::ingest
