#include "base/error.h"
#include "learning/error/codes.h"
#include "learning/track/table/table.h"

namespace tidewise {

// The build without netCDF-C.
std::vector<TrackTable> read_netcdf_track(const std::filesystem::path& path,
                                          std::optional<std::int32_t>) {
  throw input_error(errors::netcdf_tracks_not_built, path.string());
}

std::size_t count_netcdf_tracks(const std::filesystem::path&) { return 1; }

}  // namespace tidewise
