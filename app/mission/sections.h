#pragma once

#include <filesystem>

#include "app/mission/file.h"
#include "app/mission/key_reader.h"

namespace tidewise {

// Each takes one table of a mission file out of its entries and judges it by itself. Errors:
// InputError of KeyReader's kind. Relative paths of the file count from `folder`.
MissionFile::Environment read_environment(const KeyReader& keys,
                                          const std::filesystem::path& folder);
MissionFile::Vehicle read_vehicle(const KeyReader& keys);
/// [mission], and the energy of [vehicle] that its reward needs.
MissionFile::Goal read_goal(const KeyReader& keys);
MissionFile::Planner read_planner(const KeyReader& keys);
MissionFile::Rollout read_rollout(const KeyReader& keys);
MissionFile::Output read_output(const KeyReader& keys, const std::filesystem::path& folder,
                                const std::filesystem::path& default_directory);

}  // namespace tidewise
