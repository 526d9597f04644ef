#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "env/file/reader.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// Superobservations of gridded surface currents.
struct RadarTable {
  TrackTable table;   ///< current_time, current_lon, current_lat, u, v and their errors, by row
  double side = 0;    ///< side of the boxes over which they are means [m]
  double window = 0;  ///< longest averaging time [s]
  std::size_t values = 0;  ///< number of vectors in all means
};

/// Reads gridded eastward and northward surface currents (NetCDF, CF: time, latitude, longitude),
/// as HF radars map them, and makes superobservations of those in the environment. Neighbouring
/// vectors share radials and sites, so their errors are not independent; used one by one they would
/// have too much weight.
///
/// Each superobservation is the mean over a box of four cells of the environment and the maps
/// within one of its steps, from the first of them to the last and half the time between two maps
/// on either side. If there would be more than 500 boxes, boxes grow, and short steps are joined to
/// at most three hours, beyond which tides would be averaged away. Its error is the root mean
/// square of those of its vectors, as if their errors were fully correlated. A vector's error is
/// that of the file (u_error, stdu, EWCS …); else its dilution of precision (DOPx, DOPy, GDOP)
/// times 0.05 m/s, the error of a radial velocity; else `error`, or 0.1 m/s. An error without units
/// has those of its component. Values with bad quality flags (ingest::find_quality_flags) are left
/// out; errors and flags may lack dimensions of the velocity, and have them in another order.
///
/// Errors: InputError for a file without such fields, a radial file, an environment without dates,
/// longitudes or metres, and if all vectors within it are flagged or without error, or there are
/// none.
RadarTable read_radars(const std::vector<std::filesystem::path>& paths,
                       const EnvironmentReader& environment, std::optional<double> error);

}  // namespace tidewise
