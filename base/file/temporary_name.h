#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// A hidden name under which to make `name`, another one each time: ".NAME.0123456789ab.tmp".
std::string temporary_name(const std::string& name);

/// What is in `folder` under such names of `name`, whoever made it.
std::vector<std::filesystem::path> find_temporaries(const std::filesystem::path& folder,
                                                    const std::string& name);

}  // namespace tidewise
