#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/netcdf_file.h"
#include "env/import/quantity.h"

namespace tidewise {

/// The points of a rectilinear source grid, or the part of them in a box: columns from west to
/// east, rows from south to north, whatever the file's own order.
struct SourceGrid {
  std::vector<double> longitude;    ///< [degrees], growing and continuous (may pass 180)
  std::vector<double> latitude;     ///< [degrees], growing
  std::vector<std::size_t> column;  ///< index in the file of each longitude
  std::vector<std::size_t> row;     ///< index in the file of each latitude
  /// What is asked for of it [degrees]: the box, where the points reach that far.
  double west = 0, south = 0, east = 0, north = 0;

  std::size_t size() const { return longitude.size() * latitude.size(); }
};

/// `longitude` and `latitude` name the coordinate variables. With a box, one point more than it
/// holds is kept on each side where there is one, so that the box can be interpolated to its edges.
/// Errors: InputError for coordinates that are missing, unsorted, out of range or fewer than two.
SourceGrid make_source_grid(const NetcdfFile& file, const std::string& longitude,
                            const std::string& latitude, const std::optional<BoundingBox>& box);

}  // namespace tidewise
