#pragma once

#include <string>

#include "app/solve_arguments.h"
#include "solver/mdp/decision_process.h"
#include "solver/mdp/process_solution.h"

namespace tidewise {

/// What a solve found and what it took, a line each. `solution` is as it is written, turned back
/// where costs were made small.
template <class Real>
std::string describe_solution(const DecisionProcess<Real>& process,
                              const ProcessSolution<Real>& solution, const SolveOptions& options,
                              const Backend& backend);

}  // namespace tidewise
