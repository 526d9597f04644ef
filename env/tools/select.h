#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "env/tools/derived_file.h"

namespace tidewise {

/// What becomes of the flow: it stays uncertain, or one certain flow takes its place, the mean of
/// the ensemble or none at all.
enum class FlowKept { ensemble, mean, still };

/// What to keep of an environment's ensemble.
struct EnsembleSelection {
  std::vector<std::int32_t> realizations;  ///< by number, one at least, in the order to keep
  std::int32_t mode_count = 0;             ///< the first so many modes, 1 … all
  FlowKept flow = FlowKept::ensemble;      ///< of what the two above leave
};

/// What a selection leaves: fewer realizations, their weights (where there are any) scaled to sum
/// to 2^24 again, and fewer modes. A certain flow is one realization without a weight and one mode,
/// and keeps 0 of the variance where the file says how much it keeps. Errors: InputError where no
/// selected realization has any weight.
EnvironmentInfo selected_info(const EnvironmentReader& reader, const EnsembleSelection& selection);

/// Writes the selection as an environment of its own, level by level: memory holds three levels.
/// The mean flow and the scalar field stay those of the whole ensemble; a realization's flow is
/// what it was as long as all modes are kept. Gives the share of the modes' variance (over all
/// realizations, open cells and levels) that the kept ones carry, 0 … 1. Where modes are left out,
/// what the file says of the variance that its modes keep becomes less by that share, level by
/// level; else it stays that of the whole.
///
/// The mean flow is that of the realizations and modes that the selection keeps, by their weights
/// (ensemble_mean.h): the file's own mean, but for coefficients that do not average to 0. It is
/// written as the mean, with a mode and a coefficient of 0; the share is then 0. Errors: as
/// write_cut().
double write_selection(const EnvironmentReader& reader, const EnsembleSelection& selection,
                       const DerivedFile& out, Progress& progress);

}  // namespace tidewise
