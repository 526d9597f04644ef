#pragma once

#include "app/cli/context.h"
#include "app/solve/arguments.h"
#include "mdp/process/decision_process.h"

namespace tidewise {

/// Sets the process's initial values to those of --initial, if it is given; warns if they belong to
/// another model. Errors: InputError for a file that is not a solution, or has another number of
/// states.
template <class Real>
void begin_with_initial(const SolveArguments& arguments, const CommandContext& context,
                        mdp::DecisionProcess<Real>& process);

}  // namespace tidewise
