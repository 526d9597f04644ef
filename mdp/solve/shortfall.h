#pragma once

#include <string>

#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Why a method did not come to what was asked, and what to do, in a line; "" where it did.
template <class Real>
std::string describe_shortfall(const ProcessSolution<Real>& solution, const SolveOptions& options);

}  // namespace tidewise::mdp
