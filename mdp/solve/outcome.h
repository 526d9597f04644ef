#pragma once

#include <string>

#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Sets outcome and converged of a solution that has been judged, by its bounds alone where there
/// are some: the same for all methods, and for the program, the library and its files.
template <class Real>
void settle_outcome(const DecisionProcess<Real>& process, const SolveOptions& options,
                    ProcessSolution<Real>& solution);

/// Why a solution's outcome is not Outcome::within_tolerance, and what to do, in a line; "" where
/// it is.
template <class Real>
std::string describe_shortfall(const ProcessSolution<Real>& solution, const SolveOptions& options);

}  // namespace tidewise::mdp
