#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/file/source_names.h"

namespace tidewise::ingest {

/// The variables of a velocity.
struct VelocityVariables {
  std::string u;
  std::string v;
  std::string how;  ///< "given with --u and --v", "found by standard_name" or "… known names"
  /// CF standard names of the velocity along the axes of a plane: sea_water_x_velocity, x_wind, …
  std::string along_x;
  std::string along_y;
};

/// Finds the two velocity variables: as `names` gives them, then by standard_name, then by known
/// names. Errors: InputError if there are none, several equally good ones, or the same one for
/// both.
VelocityVariables find_velocity(const NetcdfFile& file, const SourceNames& names);

/// Finds the velocity variables if v may be in another file, which is searched if `names` gives v.
VelocityVariables find_velocity(const NetcdfFile& file, const NetcdfFile& v_file,
                                const SourceNames& names);

/// The names of u and v if no file holds both and some files hold one of them each, by
/// standard_name, then by known names; otherwise both are empty.
std::pair<std::string, std::string> find_split_velocity(
    const std::vector<std::filesystem::path>& files);

/// The factor from the variable's units to m s-1; 1 without a units attribute. Errors: InputError
/// for units that are not those of a speed.
double velocity_factor(const NetcdfFile& file, const std::string& variable);

/// True if the file's current group itself has a velocity, by standard_name or known names.
bool holds_velocity(const NetcdfFile& file);

}  // namespace tidewise::ingest
