#include "base/error.h"
#include "env/error/codes.h"
#include "env/resample/resample.h"

namespace tidewise {

// This definition belongs to builds without Eigen and PROJ.
ResampleReport resample_environment(const EnvironmentReader&, const ResampleOptions&,
                                    const DerivedFile&, Progress&) {
  throw input_error(errors::import_not_built, "resample");
}

}  // namespace tidewise
