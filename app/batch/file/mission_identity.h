#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "planner/mission/read/file.h"

namespace tidewise {

/// The mission without the keys of where it is computed and written, which do not affect its
/// results. Missions with equal identities are the same.
nlohmann::ordered_json identity_of(const RunRequest& request);

/// Identity of an environment's file: path, size [B] and time of its last change [ns]. Null if
/// there is no such file.
nlohmann::ordered_json environment_identity(const std::filesystem::path& file);

}  // namespace tidewise
