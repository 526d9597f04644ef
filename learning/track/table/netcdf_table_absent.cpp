#include "base/error.h"
#include "learning/track/table/table.h"

namespace tidewise {

// The build without netCDF-C.
std::vector<TrackTable> read_netcdf_track(const std::filesystem::path& path,
                                          std::optional<std::int32_t>) {
  throw InputError(path.string() +
                   ": is a NetCDF file, which this build cannot read as a track (TIDEWISE_IMPORT "
                   "is OFF); build with -DTIDEWISE_IMPORT=ON, or give the track as a CSV");
}

std::size_t count_netcdf_tracks(const std::filesystem::path&) { return 1; }

}  // namespace tidewise
