#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/grid/point_grid.h"
#include "env/units/quantity.h"

namespace tidewise::ingest {

/// The points of a source grid, or the part of them in a box. Along longitude and latitude columns
/// go from west to east and rows from south to north, whatever the file's own order; on any other
/// grid they are as in the file, and each point has a place of its own.
struct SourceGrid {
  std::vector<double> longitude;    ///< [degrees], growing and continuous (may pass 180)
  std::vector<double> latitude;     ///< [degrees], growing
  std::vector<std::size_t> column;  ///< index in the file of each column
  std::vector<std::size_t> row;     ///< index in the file of each row
  /// What is asked for of it [degrees]: the box, where the points reach that far.
  double west = 0, south = 0, east = 0, north = 0;
  /// Every point's own place, on other grids than those along longitude and latitude; the vectors
  /// longitude and latitude are empty then, and the four sides are those of `box`.
  std::optional<PointGrid> points = {};
  std::optional<BoundingBox> box = {};  ///< of `points`; nothing: all of them
  /// Of Arakawa's C grid `points` are the centres, faces and corners of cells, half a step apart;
  /// `row` and `column` are those of the centres, which lie at the odd rows and columns of points.
  bool staggered = false;

  /// Whether a point decides what is land around it.
  bool is_centre(std::size_t n) const {
    return !staggered || (n / points->columns % 2 == 1 && n % points->columns % 2 == 1);
  }
  /// Of the points that lie a step of the source apart.
  std::size_t step_count() const { return staggered ? row.size() * column.size() : size(); }
  std::size_t size() const { return points ? points->size() : longitude.size() * latitude.size(); }
  GeographicPoint place(std::size_t j, std::size_t i) const {
    return points ? points->place(j * points->columns + i)
                  : GeographicPoint{longitude[i], latitude[j]};
  }
};

/// Whether a place lies in a box, whole turns of longitude aside.
bool is_in_box(const BoundingBox& box, GeographicPoint place);

/// The part of `whole` that a box needs: the rows and columns that reach into it, and one more on
/// each side. Errors: InputError naming `file` when none does.
SourceGrid make_point_source(const PointGrid& whole, const std::optional<BoundingBox>& box,
                             const std::string& file);

/// `longitude` and `latitude` name the coordinate variables. With a box, one point more than it
/// holds is kept on each side where there is one, so that the box can be interpolated to its edges.
/// Errors: InputError for coordinates that are missing, unsorted, out of range or fewer than two.
SourceGrid make_source_grid(const NetcdfFile& file, const std::string& longitude,
                            const std::string& latitude, const std::optional<BoundingBox>& box);

}  // namespace tidewise::ingest
