#include "base/error.h"
#include "learning/track/radar.h"

namespace tidewise {

// The build without netCDF-C.
RadarTable read_radars(const std::vector<std::filesystem::path>& paths, const EnvironmentReader&,
                       std::optional<double>) {
  throw InputError(
      paths.front().string() +
      ": gridded currents are NetCDF, which this build cannot read (TIDEWISE_IMPORT is "
      "OFF); build with -DTIDEWISE_IMPORT=ON");
}

}  // namespace tidewise
