#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// A hidden name under which to make `name`, with 64 random bits: ".NAME.0123456789abcdef.tmp".
std::string temporary_name(const std::string& name);

/// The paths in `folder` that have such names of `name`, or of any name where that is empty. They
/// may be of any type and origin.
std::vector<std::filesystem::path> find_temporaries(const std::filesystem::path& folder,
                                                    const std::string& name);

}  // namespace tidewise
