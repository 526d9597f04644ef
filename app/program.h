#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/terminal/outlet.h"

namespace tidewise {

/// Runs one command line and returns its exit status: 0 success, 1 the run failed, 2 the input was
/// wrong. Only this function prints errors, each as one line on stderr.
int run_program(int argc, const char* const* argv);

/// Runs one command inside another program. `words`: the words after the program's name. Its output
/// goes to the outlet, and its errors are thrown. Not reentrant. Errors: those of the command.
void run_words(const std::vector<std::string>& words, Outlet& outlet);

/// Runs the command `name`, such as "env import", with values of its options (Command::run()).
/// Otherwise like run_words().
void run_command(const std::string& name, const nlohmann::json& values, Outlet& outlet);

}  // namespace tidewise
