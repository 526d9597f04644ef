#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// The hidden name under which this process makes `name`: ".NAME.PID.tmp".
std::string temporary_name(const std::string& name);

/// What processes that are no more left in `folder` under the temporary names of `name`: a process
/// that is killed outright clears up nothing.
std::vector<std::filesystem::path> stale_temporaries(const std::filesystem::path& folder,
                                                     const std::string& name);

}  // namespace tidewise
