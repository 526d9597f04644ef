#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/import/import_plan.h"
#include "env/resample/resample.h"

namespace tidewise {

/// The levels and cells that an environment is to have.
struct ResamplePlan {
  Grid grid;
  ingest::ImportPlan levels;         ///< in the file's own times [s or 1]
  ingest::Sampling held;             ///< what the file's levels hold
  std::vector<std::string> reasons;  ///< of what was chosen, a line each
};

/// Chooses what is not given, from the flow. Errors: InputError as resample_environment().
ResamplePlan plan_resampling(const EnvironmentReader& reader, const ResampleOptions& options);

}  // namespace tidewise
