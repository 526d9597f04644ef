#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/file/grid_mapping_text.h"
#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/file/source_names.h"

namespace tidewise::ingest {

/// The roles of a field's dimensions.
enum class Role { longitude, latitude, time, depth, member };
inline constexpr std::size_t role_count = 5;

/// The kind of a grid's coordinates: one longitude per column and one latitude per row; coordinates
/// with two dimensions; coordinates of a projection.
enum class GridKind { longitude_latitude, curvilinear, projected };

/// The dimension of a variable that has a role. On grids that are not along longitude and latitude,
/// Role::longitude means the columns and Role::latitude the rows.
struct RolePlace {
  std::size_t position = 0;  ///< among the variable's dimensions
  std::size_t size = 0;
  std::string dimension;
  std::string coordinate;  ///< the dimension's coordinate variable; empty if there is none
};

/// The roles of a variable's dimensions, which may be in any order. Dimensions of size 1 may have
/// no role.
struct FieldLayout {
  std::string variable;
  std::size_t rank = 0;
  std::vector<std::optional<RolePlace>> places;  ///< (role)
  GridKind kind = GridKind::longitude_latitude;
  /// The projection of a projected grid, or of a curvilinear one that also has map coordinates,
  /// which must agree with it.
  GridMappingText mapping;
  /// One-dimensional coordinates along columns and rows that only number them or measure a map.
  /// They show the direction in which x and y grow. Empty if there are none.
  std::string along_columns, along_rows;

  const std::optional<RolePlace>& place(Role role) const {
    return places[static_cast<std::size_t>(role)];
  }
};

/// `optional`: a steady field needs no time axis.
enum class TimeAxisIs { required, optional };

/// Finds the role of each dimension of `variable`: as `names` gives it, then by its coordinate's
/// standard_name, axis attribute, units, and known names. Longitude, latitude and, if required,
/// time must exist. Errors: InputError naming file, variable and remedy, also for unstructured
/// grids.
FieldLayout find_layout(const NetcdfFile& file, const std::string& variable,
                        const SourceNames& names, TimeAxisIs time = TimeAxisIs::required);

}  // namespace tidewise::ingest
