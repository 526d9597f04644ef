#pragma once

#include <string>
#include <utility>
#include <vector>

#include "env/gyre/environment.h"

namespace tidewise::gyre {

/// Throws InputError, which names the option, if a value is out of range.
void validate_options(const EnvironmentOptions& options);

/// Every option of `tidewise env wind-driven-gyre` that affects the result, as typed: (option,
/// value). Equal lists mean equal environments.
using NamedOptions = std::vector<std::pair<std::string, std::string>>;
/// The list of all such options.
NamedOptions named_options(const EnvironmentOptions& options);

/// The command that makes the environment, without --out.
std::string command_of(const EnvironmentOptions& options);

}  // namespace tidewise::gyre
