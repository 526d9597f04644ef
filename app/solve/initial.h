#pragma once

#include "app/cli/context.h"
#include "app/solve/arguments.h"
#include "mdp/process/decision_process.h"

namespace tidewise {

/// Begins with the values of --initial, where it is given, in place of the process's own; warns
/// where they are those of another model. Errors: InputError for a file that is no solution or one
/// of another number of states.
template <class Real>
void begin_with_initial(const SolveArguments& arguments, const CommandContext& context,
                        mdp::DecisionProcess<Real>& process);

}  // namespace tidewise
