#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/grid/point_grid.h"
#include "env/units/quantity.h"

namespace tidewise::ingest {

/// The points of a source grid, or the part of them in a box. On a grid along longitude and
/// latitude, columns go from west to east and rows from south to north, for any order in the file.
/// On any other grid they are as in the file, and each point has its own position.
struct SourceGrid {
  std::vector<double> longitude;    ///< [degrees], ascending and continuous (may pass 180)
  std::vector<double> latitude;     ///< [degrees], ascending
  std::vector<std::size_t> column;  ///< index in the file of each column
  std::vector<std::size_t> row;     ///< index in the file of each row
  /// The requested part [degrees]: the box, clipped to the points.
  double west = 0, south = 0, east = 0, north = 0;
  /// The points' positions, on grids that are not along longitude and latitude. Then the vectors
  /// longitude and latitude are empty, and the four sides are those of `box`.
  std::optional<PointGrid> points = {};
  std::optional<BoundingBox> box = {};  ///< requested part of `points`; nullopt: all of them
  /// True on Arakawa's C grid. Then `points` are the centres, faces and corners of cells, half a
  /// step apart; `row` and `column` are those of the centres, at the odd rows and columns of
  /// `points`.
  bool staggered = false;

  /// True if a point decides whether the area around it is land.
  bool is_centre(std::size_t n) const {
    return !staggered || (n / points->columns % 2 == 1 && n % points->columns % 2 == 1);
  }
  /// Number of points, without the faces and corners of a C grid.
  std::size_t step_count() const { return staggered ? row.size() * column.size() : size(); }
  std::size_t size() const { return points ? points->size() : longitude.size() * latitude.size(); }
  GeographicPoint place(std::size_t j, std::size_t i) const {
    return points ? points->place(j * points->columns + i)
                  : GeographicPoint{longitude[i], latitude[j]};
  }
};

/// True if a position lies in a box; longitudes may differ by whole turns.
bool is_in_box(const BoundingBox& box, GeographicPoint place);

/// The part of `whole` that a box needs: the rows and columns that reach into it, and one more on
/// each side. Errors: InputError naming `file` if none does.
SourceGrid make_point_source(const PointGrid& whole, const std::optional<BoundingBox>& box,
                             const std::string& file);

/// Reads a grid along longitude and latitude, whose coordinate variables are `longitude` and
/// `latitude`. With a box, one more point is kept on each side, if there is one, so that values can
/// be interpolated up to the edges of the box.
/// Errors: InputError for coordinates that are missing, unsorted, out of range or fewer than two.
SourceGrid make_source_grid(const NetcdfFile& file, const std::string& longitude,
                            const std::string& latitude, const std::optional<BoundingBox>& box);

}  // namespace tidewise::ingest
