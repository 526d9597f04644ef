#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/file/source_names.h"

namespace tidewise::ingest {

struct VelocityVariables {
  std::string u;
  std::string v;
  std::string how;  ///< "given with --u and --v", "found by standard_name" or "… known names"
  /// CF standard names of what flows along the axes of a plane: sea_water_x_velocity, x_wind, …
  std::string along_x;
  std::string along_y;
};

/// Finds the two velocity variables: as told, then by standard_name, then by known names.
/// Errors: InputError when there are none, or several with nothing to choose by.
/// One variable cannot be both.
VelocityVariables find_velocity(const NetcdfFile& file, const SourceNames& names);

/// The same with v in a file of its own, which is looked into when its name is told.
VelocityVariables find_velocity(const NetcdfFile& file, const NetcdfFile& v_file,
                                const SourceNames& names);

/// The names of u and v where no file holds both and some files hold one of them each, by
/// standard_name, then by known names; both empty elsewhere.
std::pair<std::string, std::string> find_split_velocity(
    const std::vector<std::filesystem::path>& files);

/// What turns the variable's numbers into m s-1. Without a units attribute they are taken for m
/// s-1. Errors: InputError for units that are no speed.
double velocity_factor(const NetcdfFile& file, const std::string& variable);

/// True if the group that the file is open in has a velocity of its own, by standard_name or known
/// names.
bool holds_velocity(const NetcdfFile& file);

}  // namespace tidewise::ingest
