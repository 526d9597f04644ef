#include "base/error.h"
#include "learning/error/codes.h"
#include "learning/track/radar.h"

namespace tidewise {

// The build without netCDF-C.
RadarTable read_radars(const std::vector<std::filesystem::path>& paths, const EnvironmentReader&,
                       std::optional<double>) {
  throw input_error(errors::radar_not_built, paths.front().string());
}

}  // namespace tidewise
