#include "base/error.h"
#include "planner/rehearsal/rehearsal.h"

namespace tidewise {

// The build without netCDF-C, PROJ and Eigen.
Rehearsal rehearse(const RehearsalRequest&, Progress&) {
  throw InputError(
      "rehearse: this build reads no forecasts (TIDEWISE_IMPORT is OFF); build with "
      "-DTIDEWISE_IMPORT=ON, which needs netCDF-C, PROJ and Eigen");
}

}  // namespace tidewise
