#pragma once

#include <string>

#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Why a solution's outcome is not Outcome::within_tolerance, and what to do, in a line; "" where
/// it is.
template <class Real>
std::string describe_shortfall(const ProcessSolution<Real>& solution, const SolveOptions& options);

}  // namespace tidewise::mdp
