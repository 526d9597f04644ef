#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/import/file/coordinate_role.h"

namespace tidewise::ingest {

/// Dimensions that have an extent.
std::vector<NetcdfDimension> wide_dimensions(const NetcdfFile& file, const std::string& variable);

/// Whether a variable's units are degrees, of whatever direction, or none.
bool has_degrees(const NetcdfFile& file, const std::string& variable);

/// Errors: InputError where the units are degrees that grow to the west, or to the south.
void refuse_west_and_south(const NetcdfFile& file, const std::string& variable, Role role);

/// Whether its name is that of a longitude, or latitude, with its grid's letters: lon_rho, TLONG,
/// geolon_t, glamt.
bool is_named(const NetcdfFile& file, const std::string& variable, Role role);

/// Whether a variable says that it holds longitudes or latitudes: by its standard_name, by units of
/// degrees, or without units by its name ("lon", "nav_lat") or long_name. One that numbers columns,
/// measures a map or is turned to another pole does not.
bool says_place(const NetcdfFile& file, const std::string& variable, Role role);

/// Whether values are 0, 1, 2, … or 1, 2, 3, …: such numbers without units may count anything.
bool counts_only(const std::vector<double>& values);

/// Whether a standard_name means a mere number (x_grid_index, model_level_number).
bool is_index(const std::string& standard_name);

/// How points lie half a step from others along rows or columns, as ROMS has u and v beside rho.
struct HalfStep {
  bool along_columns = true;
  /// A point lies half a step before the other point of its number, or else behind it.
  bool before = false;
  /// Both have equal numbers of points, which do not show `before`: it is false, as where one range
  /// of indices cuts both.
  bool before_unknown = false;
};

/// How points of `own`, (row, column), lie beside those of `wide`; nothing where they do not. The
/// names of ROMS' dimensions show the direction and allow `own` to have as many points along it as
/// `wide`, or one more; otherwise `wide` has one more.
std::optional<HalfStep> half_step(const std::vector<NetcdfDimension>& own,
                                  const std::vector<NetcdfDimension>& wide);

/// The longitude or latitude of two dimensions that goes with `field`: as `told`, which may
/// lie on points beside its `rows_and_columns` (half_step), else of those
/// that the field's own `coordinates` names, else of all on two of its dimensions, else of ROMS'
/// rho points beside it. Empty if there is none. Errors: InputError where several may be it.
std::string find_wide_coordinate(const NetcdfFile& file, const std::string& field, Role role,
                                 const std::string& told,
                                 const std::vector<NetcdfDimension>& rows_and_columns);

}  // namespace tidewise::ingest
