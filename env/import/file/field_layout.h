#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/file/grid_mapping_text.h"
#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/file/source_names.h"

namespace tidewise::ingest {

enum class Role { longitude, latitude, time, depth, member };
inline constexpr std::size_t role_count = 5;

/// How the points of a grid say where they are: by one longitude a column and one latitude a row;
/// by coordinates of two dimensions; by coordinates on a projection.
enum class GridKind { longitude_latitude, curvilinear, projected };

/// Where a role is found in a variable. On other grids than those along longitude and latitude the
/// role longitude is that of the columns, latitude that of the rows.
struct RolePlace {
  std::size_t position = 0;  ///< among the variable's dimensions
  std::size_t size = 0;
  std::string dimension;
  std::string coordinate;  ///< its coordinate variable; empty if there is none
};

/// Which dimension of a variable is what, in any order. Dimensions of size 1 may play no role.
struct FieldLayout {
  std::string variable;
  std::size_t rank = 0;
  std::vector<std::optional<RolePlace>> places;  ///< (role)
  GridKind kind = GridKind::longitude_latitude;
  /// Of a projected grid; of a curvilinear one that lies on a map as well, and has to agree with
  /// it.
  GridMappingText mapping;
  /// One-dimensional coordinates along columns and rows that only number them or measure a map; by
  /// them is known which way x and y grow. Empty where there are none.
  std::string along_columns, along_rows;

  const std::optional<RolePlace>& place(Role role) const {
    return places[static_cast<std::size_t>(role)];
  }
};

enum class TimeAxisIs { required, optional };

/// Judges each dimension of `variable`: as told, then by its coordinate's standard_name, axis
/// attribute, units, and known names. Longitude, latitude and time must be there; a steady field
/// may do without time. Errors: InputError naming file, variable and remedy; among them
/// unstructured grids.
FieldLayout find_layout(const NetcdfFile& file, const std::string& variable,
                        const SourceNames& names, TimeAxisIs time = TimeAxisIs::required);

}  // namespace tidewise::ingest
