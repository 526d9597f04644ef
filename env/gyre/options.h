#pragma once

#include <string>
#include <utility>
#include <vector>

#include "env/gyre/environment.h"

namespace tidewise::gyre {

/// Errors: InputError naming the option, for values that cannot be.
void validate_options(const EnvironmentOptions& options);

/// Every option of `tidewise env wind-driven-gyre` that says what is made, as it would be typed:
/// (option, value), all of them, so that equal lists mean equal environments.
using NamedOptions = std::vector<std::pair<std::string, std::string>>;
NamedOptions named_options(const EnvironmentOptions& options);

/// The command that makes the environment, but for --out.
std::string command_of(const EnvironmentOptions& options);

}  // namespace tidewise::gyre
