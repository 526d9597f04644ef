#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// A hidden temporary name for `name`, with 64 random bits: ".NAME.0123456789abcdef.tmp".
std::string temporary_name(const std::string& name);

/// The paths in `folder` that are temporary names for `name`, or for any name if it is empty. They
/// may have any type and origin.
std::vector<std::filesystem::path> find_temporaries(const std::filesystem::path& folder,
                                                    const std::string& name);

}  // namespace tidewise
