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

/// The mission whose text a run's file holds, with `settings` in place of its keys. An environment
/// that lies under its name beside the file, and not where the mission says, is taken from there:
/// the run was moved together with the forecast that is its own, or is not in its place yet.
/// Errors: those of parse_mission().
RunRequest mission_within(const std::filesystem::path& file, const std::string& text,
                          const std::vector<Setting>& settings = {});

/// The mission that a policy was made for, with `settings` in place of its keys. Errors: those of
/// mission_within().
RunRequest mission_of(const PolicyFile& policy, const std::vector<Setting>& settings);

/// Refuses flights that lie beside the policy of another mission, but for how that is planned,
/// flown and written: somebody has copied one of the two. Errors: InputError.
void require_one_mission(RunRequest flown, const std::filesystem::path& flights,
                         const RunRequest& planned, const std::filesystem::path& policy);

}  // namespace tidewise
