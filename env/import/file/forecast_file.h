#pragma once

#include <filesystem>
#include <memory>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// Opens a file of a forecast in the group that holds it: the root if it holds a velocity or other
/// fields, else the only group that holds a velocity, else the only group that holds fields. A file
/// without such a group is opened in its root. Errors: those of NetcdfFile.
std::shared_ptr<const NetcdfFile> open_forecast_file(const std::filesystem::path& path);

}  // namespace tidewise::ingest
