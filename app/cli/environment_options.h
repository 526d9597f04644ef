#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "env/environment_names.h"

namespace tidewise {

/// Adds --name ROLE=VARIABLE, which may be repeated: what an environment that was made elsewhere
/// calls its variables.
void add_names_option(Command command, std::vector<std::string>& names);

/// Errors: InputError for a role that there is none of, and for text of another form.
EnvironmentNames parse_names(const std::vector<std::string>& names);

}  // namespace tidewise
