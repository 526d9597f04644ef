#pragma once

#include "app/cli/command.h"
#include "app/solve/arguments.h"

namespace tidewise {

/// What --target and --goal say, judged before a model is read; a bound of steps makes the method
/// backward induction with that horizon. Errors: InputError for a target that is no formula, for a
/// goal that lacks one or goes with another, and for a bound beside another method or --horizon.
void settle_goal(Command command, SolveArguments& arguments);

}  // namespace tidewise
