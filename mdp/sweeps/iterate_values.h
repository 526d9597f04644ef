#pragma once

#include "base/progress.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"
#include "mdp/sweeps/jacobi_sweep.h"

namespace tidewise::mdp {

/// Value iteration by any sweep on the host: until ConvergenceMonitor says that it is over, then
/// centred. `seconds` is that of the sweeps and what belongs to them; what making the sweep took is
/// the caller's to add. `process` outlives the call, `sweep` is of it.
template <class Real>
ProcessSolution<Real> iterate_values_by(const DecisionProcess<Real>& process,
                                        const SolveOptions& options, const Sweep<Real>& sweep,
                                        Progress& progress);

}  // namespace tidewise::mdp
