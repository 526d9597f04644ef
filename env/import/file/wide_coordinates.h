#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/import/file/coordinate_role.h"

namespace tidewise::ingest {

/// The dimensions of a variable whose size is above 1.
std::vector<NetcdfDimension> wide_dimensions(const NetcdfFile& file, const std::string& variable);

/// True if a variable's units are degrees, in any direction, or missing.
bool has_degrees(const NetcdfFile& file, const std::string& variable);

/// Throws InputError if the units are degrees that grow to the west, or to the south.
void refuse_west_and_south(const NetcdfFile& file, const std::string& variable, Role role);

/// True if a variable's name means a longitude, or latitude, with the letters of its grid: lon_rho,
/// TLONG, geolon_t, glamt.
bool is_named(const NetcdfFile& file, const std::string& variable, Role role);

/// True if a variable is declared to hold longitudes or latitudes: by its standard_name, by units
/// of degrees, or without units by its name ("lon", "nav_lat") or long_name. False for variables
/// that number columns, measure a map or belong to a rotated pole.
bool is_position(const NetcdfFile& file, const std::string& variable, Role role);

/// True if values are 0, 1, 2, … or 1, 2, 3, …: without units such numbers may count anything.
bool are_index_numbers(const std::vector<double>& values);

/// True if a standard_name means an index (x_grid_index, model_level_number).
bool is_index(const std::string& standard_name);

/// The offset of points that lie half a step from others along rows or columns, as u and v from rho
/// in ROMS.
struct HalfStep {
  bool along_columns = true;
  /// A point lies half a step before the other point with its index; otherwise after it.
  bool before = false;
  /// Both have equal numbers of points, which do not determine `before`. It is then false, as if
  /// both were cut from larger grids by the same range of indices.
  bool before_unknown = false;
};

/// The offset of the points of `field`, (row, column), from those of `wide`; nullopt if they are
/// not half a step apart. The names of ROMS' dimensions show the direction; then `field` may have
/// as many points along it as `wide`, or one more. Otherwise `wide` must have one more.
std::optional<HalfStep> half_step(const std::vector<NetcdfDimension>& field,
                                  const std::vector<NetcdfDimension>& wide);

/// The two-dimensional longitude or latitude of `field`: `requested`, which may be half a step off
/// the field's `rows_and_columns` (half_step); else one that the field's `coordinates` lists; else
/// one on two of its dimensions; else one on ROMS' rho points next to it. Empty if there is none.
/// Errors: InputError if several match.
std::string find_wide_coordinate(const NetcdfFile& file, const std::string& field, Role role,
                                 const std::string& requested,
                                 const std::vector<NetcdfDimension>& rows_and_columns);

}  // namespace tidewise::ingest
