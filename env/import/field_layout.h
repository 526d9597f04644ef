#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/netcdf_file.h"
#include "env/import/source_names.h"

namespace tidewise {

enum class Role { longitude, latitude, time, depth, member };
inline constexpr std::size_t role_count = 5;

/// Where a role is found in a variable.
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

  const std::optional<RolePlace>& place(Role role) const {
    return places[static_cast<std::size_t>(role)];
  }
};

/// Judges each dimension of `variable`: as told, then by its coordinate's standard_name, axis
/// attribute, units, and known names. Longitude, latitude and time must be there, each with a
/// one-dimensional coordinate variable. Errors: InputError naming file, variable and mend; among
/// them curvilinear and projected grids.
FieldLayout find_layout(const NetcdfFile& file, const std::string& variable,
                        const SourceNames& names);

}  // namespace tidewise
