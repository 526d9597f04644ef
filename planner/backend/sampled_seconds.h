#pragma once

#include <cstdint>

#include "env/file/reader.h"
#include "solver/induction/backward_induction.h"

namespace tidewise {

/// What solving takes, as tried on some cells of some levels.
struct SampledSeconds {
  double seconds = 0;      ///< of counting and backing up all states
  std::int64_t cells = 0;  ///< that were tried
};

/// Seconds that the processor takes for the whole of a solve, here and now: by its own engine and
/// backup on cells that lie evenly over three levels, for a second or two unless a few cells take
/// longer than that. What a cell costs goes by the spread of the landings, the width of the bins
/// and the machine, of which no rate knows. `states`: cells to decide on, over all levels. Errors:
/// those of reading and counting.
SampledSeconds sample_solve_seconds(const EnvironmentReader& environment,
                                    const PlanningProblem& problem, const PlannerOptions& options,
                                    std::int64_t states);

}  // namespace tidewise
