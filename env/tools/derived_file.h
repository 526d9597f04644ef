#pragma once

#include <filesystem>
#include <string>

#include "env/environment_info.h"

namespace tidewise {

/// The path of an environment that is made from others, and the command that makes it.
struct DerivedFile {
  std::filesystem::path path;
  std::string command;  ///< a line for the history attribute
};

/// Returns `text` with `line` appended as its last line.
std::string with_line(std::string text, const std::string& line);

}  // namespace tidewise
