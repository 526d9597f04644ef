#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/file.h"
#include "planner/mission/key_reader.h"

namespace tidewise {

// The one table of what a mission file may say: each key with what it may be, where it is kept, and
// how it is told again. Defaults and units stand in MissionFile; docs/missions.md explains each.

/// Every key, by its full dotted name.
const std::vector<std::string_view>& mission_keys();

/// Takes each key's value into `mission`, which holds the defaults. Relative paths of the file
/// count from `folder`. Errors: InputError of KeyReader's kind.
void read_keys(const KeyReader& keys, const std::filesystem::path& folder, MissionFile& mission);

/// Errors: InputError for prices of failures that contradict each other or make failing pay.
/// `place_of`: where the request says a key.
void validate_failure(const RunRequest::Goal& goal,
                      const std::function<std::string(std::string_view)>& place_of);

}  // namespace tidewise
