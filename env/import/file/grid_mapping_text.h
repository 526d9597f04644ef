#pragma once

#include <string>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// The projection that a file's grid mapping describes, as PROJ takes it: "+proj=stere +lat_0=90
/// …", metres out; for rotated_latitude_longitude angles out.
struct GridMappingText {
  std::string variable;  ///< the grid mapping; empty: there is none
  std::string proj;
  std::string note;  ///< what a user should know; empty: nothing
};

/// Reads `variable`'s grid mapping: crs_wkt (or spatial_ref), else CF's grid_mapping_name and
/// parameters, else a PROJ string. Errors: InputError for one that is not known here.
GridMappingText read_grid_mapping(const NetcdfFile& file, const std::string& variable);

}  // namespace tidewise::ingest
