#pragma once

#include <string>

#include "app/solve/arguments.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/solution.h"

namespace tidewise {

/// Describes the result and the cost of a solve, in several lines. `solution` is as written, with
/// the sign restored if costs were minimised.
template <class Real>
std::string describe_solution(const mdp::DecisionProcess<Real>& process,
                              const mdp::ProcessSolution<Real>& solution,
                              const mdp::SolveOptions& options, const Backend& backend);

}  // namespace tidewise
