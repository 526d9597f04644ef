#pragma once

#include <string>

#include "base/hdf5/file.h"
#include "mdp/savings/problem.h"

namespace tidewise::mdp {

/// Writes a problem to an open file: `assets`, `productivity`, `transition`, with a table also
/// `utility` over `utility_consumption`, and the attributes wage, interest and beta.
void write_savings_problem(Hdf5File& file, const SavingsProblem& problem);

/// Reads a problem from a file, such as a solution. Missing attributes have the defaults of
/// SavingsProblem. Errors: InputError for a file without these variables, with other shapes, or
/// with a problem that validate_savings() refuses.
SavingsProblem read_savings_problem(const std::string& path);

}  // namespace tidewise::mdp
