#pragma once

#include <string>

#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Sets outcome and converged of a validated solution, from its bounds if there are any. The rule
/// is the same for all methods, the program, the library and files.
template <class Real>
void settle_outcome(const DecisionProcess<Real>& process, const SolveOptions& options,
                    ProcessSolution<Real>& solution);

/// Reason why the outcome is not Outcome::within_tolerance and the remedy, in one line; else "".
template <class Real>
std::string describe_shortfall(const ProcessSolution<Real>& solution, const SolveOptions& options);

}  // namespace tidewise::mdp
