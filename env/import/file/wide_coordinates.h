#pragma once

#include <string>
#include <vector>

#include "env/import/file/coordinate_role.h"

namespace tidewise::ingest {

/// Dimensions that have an extent.
std::vector<NetcdfDimension> wide_dimensions(const NetcdfFile& file, const std::string& variable);

/// Whether a variable's units are degrees, of whatever direction, or none.
bool has_degrees(const NetcdfFile& file, const std::string& variable);

/// Whether its name is that of a longitude, or latitude, with its grid's letters: lon_rho, TLONG,
/// geolon_t, glamt.
bool is_named(const NetcdfFile& file, const std::string& variable, Role role);

/// The longitude or latitude of two dimensions that goes with `field`: as `told`, else of those
/// that the field's own `coordinates` names, else of all on two of its dimensions. Empty if there
/// is none. Errors: InputError where several may be it.
std::string find_wide_coordinate(const NetcdfFile& file, const std::string& field, Role role,
                                 const std::string& told);

}  // namespace tidewise::ingest
