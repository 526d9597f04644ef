#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/solve/arguments.h"
#include "mdp/file/solution.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"

namespace tidewise {

/// Refuses, before long work, an --out that could not be written, or would be put in the place of a
/// file that is no solution; a name for unfinished work that something else has; and --q where
/// nothing can come of it. Errors: InputError.
void validate_output(const SolveArguments& arguments);

/// Refuses a place of a solution: a file of another kind is there. Errors: those of Outputs.
void validate_solution_output(const std::string& out, Overwrite overwrite,
                              const std::vector<std::filesystem::path>& inputs);

/// Writes what was found for the process, which is turned where the least is wanted, to --out, and
/// what did not converge beside it instead: solution.unfinished.h5 for solution.h5 or .txt, so that
/// nothing that is whole is lost and nothing looks whole that is not. Turns `solution` back.
/// Returns the file that was written, or "" for unfinished values that are no finite numbers, with
/// which nobody can go on. Errors: RunError when writing fails.
template <class Real>
std::string write_output(const SolveArguments& arguments, const mdp::SolveOptions& options,
                         const mdp::DecisionProcess<Real>& process, mdp::SolutionOrigin origin,
                         mdp::ProcessSolution<Real>& solution);

}  // namespace tidewise
