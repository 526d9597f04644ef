#pragma once

#include <string>

#include "app/solve/arguments.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/solution.h"

namespace tidewise {

/// What a solve found and what it took, a line each. `solution` is as it is written, turned back
/// where costs were made small.
template <class Real>
std::string describe_solution(const mdp::DecisionProcess<Real>& process,
                              const mdp::ProcessSolution<Real>& solution,
                              const mdp::SolveOptions& options, const Backend& backend);

}  // namespace tidewise
