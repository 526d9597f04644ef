#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tidewise {

/// What is wrong with a command line that `program` could not take, and what to do: in this
/// program's words instead of the library's.
std::string describe_error(const CLI::ParseError& error, const CLI::App& program);

}  // namespace tidewise
