#pragma once

#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Sets outcome and converged of a solution that has been judged, by its bounds alone where there
/// are some: the same for all methods, and for the program, the library and its files.
template <class Real>
void settle_outcome(const DecisionProcess<Real>& process, const SolveOptions& options,
                    ProcessSolution<Real>& solution);

}  // namespace tidewise::mdp
