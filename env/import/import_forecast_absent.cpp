#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/forecast_survey.h"
#include "env/import/import_forecast.h"
#include "env/import/projection_data.h"

namespace tidewise::ingest {

// These definitions belong to builds without netCDF-C, PROJ and Eigen.
ImportReport import_forecast(const ImportOptions&, Progress&) {
  throw input_error(errors::import_not_built, "import");
}

ForecastSurvey survey_forecast(const ImportOptions&) {
  throw input_error(errors::import_not_built, "plan FORECAST.nc");
}
WaterSurvey survey_water(const ImportOptions&, double, double, double) { return {}; }
bool is_water(const ImportOptions&, const ForecastSurvey&, GeographicPoint) { return true; }
bool ForecastSurvey::contains(GeographicPoint) const { return false; }
double distance_between(GeographicPoint, GeographicPoint) { return 0; }
BoundingBox box_between(GeographicPoint, GeographicPoint, double, double, double) { return {}; }

void set_projection_folders(const std::vector<std::string>&) {}

}  // namespace tidewise::ingest
