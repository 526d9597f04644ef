#pragma once

#include <string>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// Refuses a velocity that is only the component of the current along the beams of one HF radar.
/// The evidence is a variable on the same points with a standard_name or name of radial velocities,
/// points along bearing and range, or the file's data_type. Errors: InputError.
void refuse_radials(const NetcdfFile& file, const std::string& velocity);

}  // namespace tidewise::ingest
