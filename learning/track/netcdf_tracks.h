#pragma once

#include <filesystem>
#include <vector>

#include "learning/track/table/columns.h"
#include "learning/track/table/table.h"
#include "learning/track/track.h"

namespace tidewise {

/// The table of a NetCDF file that says most of a track; of a file of drifters that holds many in
/// rows (trajectory, obs), one of each, unless one is asked for. Errors: those of
/// read_netcdf_track().
std::vector<TrackTable> read_netcdf_tables(const std::filesystem::path& path, TrackNorth north,
                                           const TrackOptions& options);

}  // namespace tidewise
