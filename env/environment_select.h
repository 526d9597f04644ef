#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "env/derived_file.h"
#include "env/environment_reader.h"

namespace tidewise {

/// What to keep of an environment's ensemble.
struct EnsembleSelection {
  std::vector<std::int32_t> realizations;  ///< by number, one at least, in the order to keep
  std::int32_t mode_count = 0;             ///< the first so many modes, 1 … all
};

/// What a selection leaves: fewer realizations, their weights (where there are any) scaled to sum
/// to 2^24 again, and fewer modes. Errors: InputError where no selected realization has any weight.
EnvironmentInfo selected_info(const EnvironmentReader& reader, const EnsembleSelection& selection);

/// Writes the selection as an environment of its own, level by level: memory holds three levels.
/// The mean flow and the scalar field stay those of the whole ensemble; a realization's flow is
/// what it was as long as all modes are kept. Gives the share of the modes' variance (over all
/// realizations, open cells and levels) that the kept ones carry, 0 … 1. Where modes are left out,
/// what the file says of the variance that its modes keep becomes less by that share, level by
/// level; else it stays that of the whole. Errors: as write_cut().
double write_selection(const EnvironmentReader& reader, const EnsembleSelection& selection,
                       const DerivedFile& out, Progress& progress);

}  // namespace tidewise
