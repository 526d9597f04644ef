#pragma once

#include <vector>

#include "env/resample/resampled_levels.h"
#include "env/resample/stand_ins.h"
#include "env/tools/ensemble_reduction.h"

namespace tidewise {

/// The decomposition of a level's stand-ins, which is that of its realizations: their coefficients
/// are those of the stand-ins, mixed by the stand-ins' weights.
struct ReducedLevel {
  StandIns stand_ins;
  EnsembleReduction reduction;
};

/// shares: what realizations count for, summing to 1. Errors: those of EnsembleReduction.
ReducedLevel reduce_level(const StackedLevel& level, const std::vector<double>& shares);

}  // namespace tidewise
