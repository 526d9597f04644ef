#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "env/environment_info.h"

namespace tidewise {

/// Where an environment that is made from others goes, and the command that makes it.
struct DerivedFile {
  std::filesystem::path path;
  std::string command;  ///< a line for the history attribute
};

/// Refuses to write over a file that is read, under whatever name. Errors: InputError.
void refuse_overwriting(const std::filesystem::path& out,
                        const std::vector<std::filesystem::path>& inputs);

/// `text` with `line` as its last line.
std::string with_line(std::string text, const std::string& line);

}  // namespace tidewise
