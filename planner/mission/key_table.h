#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "planner/mission/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// The one table of what a mission file may say: each key with what it may be, where it is kept, and
// how it is told again. Defaults and units stand in RunRequest; docs/missions.md explains each.

/// Every key, by its full dotted name.
const std::vector<std::string_view>& mission_keys();

/// Takes each key's value into `mission`, which holds the defaults. Relative paths of the file
/// count from `folder`. Errors: InputError of KeyReader's kind.
void read_keys(const KeyReader& keys, const std::filesystem::path& folder, RunRequest& mission);

/// Refuses a request that no mission file would be read as, such as one of no speed or of a horizon
/// of 0 steps; what the environment has to say comes after (resolution.h). Errors: as above.
void validate_request(const RunRequest& request);

}  // namespace tidewise
