#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "output/run/policy_file.h"
#include "planner/mission/read/file.h"

namespace tidewise {

/// The policy of a run, named by its folder or by the policy file itself. Errors: InputError where
/// there is none.
std::filesystem::path policy_path(const std::string& run);

/// The name of a run: "washington" of runs/washington/.
std::string name_of_folder(const std::filesystem::path& folder);

/// The mission in the text of a run's file, with `settings` applied to its keys. If the environment
/// is not where the mission names it but lies under its name next to the file, that one is used:
/// the run was moved together with its forecast, or is still in its staging folder. Errors: those
/// of parse_mission().
RunRequest mission_within(const std::filesystem::path& file, const std::string& text,
                          const std::vector<Setting>& settings = {});

/// The mission that a policy was made for, with `settings` in place of its keys. Errors: those of
/// mission_within().
RunRequest mission_of(const PolicyFile& policy, const std::vector<Setting>& settings);

/// Refuses flights next to the policy of another mission, which happens if one of the two files was
/// copied. Keys of planning, flying and output may differ. Errors: InputError.
void require_one_mission(RunRequest flown, const std::filesystem::path& flights,
                         const RunRequest& planned, const std::filesystem::path& policy);

}  // namespace tidewise
