#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "planner/mission/read/file.h"

namespace tidewise {

/// What a mission asks for, without what its results do not depend on: where it is computed and
/// where it is written. Two missions whose identities are equal are the same.
nlohmann::ordered_json identity_of(const RunRequest& request);

/// What tells an environment's file from another one under the same name: path, size [B] and time
/// of its last change [ns]. Null where there is no such file.
nlohmann::ordered_json environment_identity(const std::filesystem::path& file);

}  // namespace tidewise
