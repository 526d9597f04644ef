#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "output/run/policy_file.h"
#include "planner/mission/read/file.h"

namespace tidewise {

/// Returns the policy file of a run, which is named by its folder or by this file. Errors:
/// InputError if there is none.
std::filesystem::path policy_path(const std::string& run);

/// Returns the name of a run's folder: "washington" for runs/washington/.
std::string name_of_folder(const std::filesystem::path& folder);

/// Returns the mission in the text of a run's file, with `settings` applied to its keys. If its
/// environment does not exist, but a file of the same name lies next to `file`, that one is used:
/// the run was moved together with its forecast, or is still in its staging folder. Errors: those
/// of parse_mission().
RunRequest mission_within(const std::filesystem::path& file, const std::string& text,
                          const std::vector<Setting>& settings = {});

/// Returns the mission that a policy was made for, with `settings` in place of its keys. Errors:
/// those of mission_within().
RunRequest mission_of(const PolicyFile& policy, const std::vector<Setting>& settings);

/// Refuses flights next to the policy of another mission, as when one of the two files was
/// copied. Keys of planning, flying and output may differ. Errors: InputError.
void require_one_mission(RunRequest flown, const std::filesystem::path& flights,
                         const RunRequest& planned, const std::filesystem::path& policy);

}  // namespace tidewise
