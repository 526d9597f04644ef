#pragma once

#include <string>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// Refuses a velocity that is only the part of the current along the beams of one HF radar: by a
/// variable of the same points with a standard_name or name of radial velocities, by points along
/// bearing and range, or by the file's data_type. Errors: InputError.
void refuse_radials(const NetcdfFile& file, const std::string& velocity);

}  // namespace tidewise::ingest
