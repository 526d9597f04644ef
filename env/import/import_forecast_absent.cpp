#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/import_forecast.h"
#include "env/import/projection_data.h"

namespace tidewise::ingest {

// The build without netCDF-C, PROJ and Eigen.
ImportReport import_forecast(const ImportOptions&, Progress&) {
  throw input_error(errors::import_not_built, "import");
}

void set_projection_folders(const std::vector<std::string>&) {}

}  // namespace tidewise::ingest
