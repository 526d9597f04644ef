#include "base/error.h"
#include "env/import/import_forecast.h"
#include "env/import/projection_data.h"

namespace tidewise::ingest {

// The build without netCDF-C, PROJ and Eigen.
ImportReport import_forecast(const ImportOptions&, Progress&) {
  throw InputError(
      "env import: this build has no import (TIDEWISE_IMPORT is OFF); build with "
      "-DTIDEWISE_IMPORT=ON, which needs netCDF-C, PROJ and Eigen");
}

void set_projection_folders(const std::vector<std::string>&) {}

}  // namespace tidewise::ingest
