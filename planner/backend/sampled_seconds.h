#pragma once

#include <cstdint>

#include "env/file/reader.h"
#include "solver/induction/backward_induction.h"

namespace tidewise {

/// Solve time extrapolated from some cells of some levels.
struct SampledSeconds {
  double seconds = 0;      ///< time of counting and backing up all states [s]
  std::int64_t cells = 0;  ///< number of cells that were sampled
};

/// Estimates the seconds of a whole solve on this machine. Runs the mission's engine and backup on
/// cells spread evenly over three levels, for one or two seconds unless a few cells take longer. A
/// fixed rate would not do: the time of a cell depends on the spread of the landings, the width of
/// the bins and the machine. `states`: cells to decide on, over all levels. Errors: those of
/// reading and counting.
SampledSeconds sample_solve_seconds(const EnvironmentReader& environment,
                                    const PlanningProblem& problem, const PlannerOptions& options,
                                    std::int64_t states);

}  // namespace tidewise
