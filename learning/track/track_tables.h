#pragma once

#include <filesystem>
#include <vector>

#include "learning/track/table/columns.h"
#include "learning/track/table/table.h"
#include "learning/track/track.h"

namespace tidewise {

/// Reads the tables of a file's tracks, with the reader of its format: NetCDF, a Slocum's surface
/// log, CSV. For several vehicles it is the requested one, for drifters all of them. Errors:
/// InputError naming file and remedy.
std::vector<TrackTable> read_track_tables(const std::filesystem::path& path, TrackNorth north,
                                          const TrackOptions& options);

/// True if a file is a Slocum's surface log.
bool is_track_log(const std::filesystem::path& path);

/// Refuses --trajectory for a file that holds one track. Errors: InputError.
void refuse_trajectory(const std::filesystem::path& path, const TrackOptions& options);

}  // namespace tidewise
