#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/solve/arguments.h"
#include "mdp/file/solution.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"

namespace tidewise {

/// Refuses, before long work: an --out that cannot be written or would replace a file that is not a
/// solution; a file for unfinished work that exists and is something else; and --value for a method
/// or format without action values. Errors: InputError.
void validate_output(const SolveArguments& arguments);

/// Refuses an --out that would replace a file of another kind. Errors: those of Outputs.
void validate_solution_output(const std::string& out, Overwrite overwrite,
                              const std::vector<std::filesystem::path>& inputs);

/// Writes the solution of a process, with the sign restored if costs were minimised, to --out. An
/// unconverged solution goes to a file next to it instead: solution.unfinished.h5 for solution.h5
/// or .txt, so that no complete solution is lost and no incomplete one looks complete. Restores the
/// sign in `solution`. Returns the written file, or "" for unfinished values that are not finite,
/// which cannot be continued. Errors: RunError when writing fails.
template <class Real>
std::string write_output(const SolveArguments& arguments, const mdp::SolveOptions& options,
                         const mdp::DecisionProcess<Real>& process, mdp::SolutionOrigin origin,
                         mdp::ProcessSolution<Real>& solution);

}  // namespace tidewise
