#include "base/error.h"
#include "env/resample/resample.h"

namespace tidewise {

// The build without Eigen and PROJ.
ResampleReport resample_environment(const EnvironmentReader&, const ResampleOptions&,
                                    const DerivedFile&, Progress&) {
  throw InputError(
      "env resample: this build has none (TIDEWISE_IMPORT is OFF); build with "
      "-DTIDEWISE_IMPORT=ON, which needs netCDF-C, PROJ and Eigen");
}

}  // namespace tidewise
