#include "base/error.h"
#include "planner/error/codes.h"
#include "planner/rehearsal/rehearsal.h"

namespace tidewise {

// The build without netCDF-C, PROJ and Eigen.
Rehearsal rehearse(const RehearsalRequest&, Progress&) {
  throw input_error(errors::rehearsal_not_built);
}

}  // namespace tidewise
