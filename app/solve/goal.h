#pragma once

#include "app/cli/command.h"
#include "app/solve/arguments.h"

namespace tidewise {

/// Checks --target and --goal before a model is read. Errors: InputError for a goal that lacks a
/// target, and for options that do not go together.
void settle_goal(Command command, SolveArguments& arguments);

}  // namespace tidewise
