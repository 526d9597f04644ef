#pragma once

#include <string>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// The projection of a file's grid mapping, in PROJ's syntax: "+proj=stere +lat_0=90 …". Its output
/// is in metres, or in angles for rotated_latitude_longitude.
struct GridMappingText {
  std::string variable;  ///< the grid mapping variable; empty: none
  std::string proj;
  std::string note;  ///< note for the user; empty: none
};

/// Reads `variable`'s grid mapping: crs_wkt (or spatial_ref), else CF's grid_mapping_name and
/// parameters, else a PROJ string. Errors: InputError for an unsupported one.
GridMappingText read_grid_mapping(const NetcdfFile& file, const std::string& variable);

}  // namespace tidewise::ingest
