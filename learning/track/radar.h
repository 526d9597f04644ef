#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "env/file/reader.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// Superobservations of gridded surface currents.
struct RadarTable {
  TrackTable table;   ///< current_time, current_lon, current_lat, u, v and their errors, a row each
  double side = 0;    ///< of the boxes that they are means over [m]
  double window = 0;  ///< the longest time that one is a mean over [s]
  std::size_t values = 0;  ///< how many vectors they are made of
};

/// Reads gridded surface currents to the east and north (NetCDF, CF: time, latitude, longitude), as
/// HF radars map them, and makes superobservations of those in the environment: neighbours share
/// radials and sites, so that their errors are not independent, and many of them would be believed
/// too much. Each is the mean over a box of four cells of the environment and the maps within one
/// of its steps, from the first of them to the last and half the time between two maps on either
/// side. Where there were more than 500 boxes they grow, and short steps are joined to three hours
/// at most, beyond which tides would be averaged away. Its error is the root mean square of those
/// of its vectors, as if they all erred alike. A vector's error is that of the file (u_error, stdu,
/// EWCS …); else its dilution of precision (DOPx, DOPy, GDOP) times 0.05 m/s, the error of a radial
/// velocity; else `error`, or 0.1 m/s. An error without units is in those of its component. Values
/// that flags of quality grade as bad (ingest::find_quality_flags) are left out; errors and flags
/// may lack dimensions of the velocity, and have them in another order. Errors: InputError for a
/// file without such fields, a radial file, an environment without dates, places or metres, and
/// where nothing lies within it or all that does is flagged or has no error.
RadarTable read_radars(const std::vector<std::filesystem::path>& paths,
                       const EnvironmentReader& environment, std::optional<double> error);

}  // namespace tidewise
