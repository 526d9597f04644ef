#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "output/run/policy_file.h"
#include "planner/mission/file.h"

namespace tidewise {

/// The policy of a run, named by its folder or by the policy file itself. Errors: InputError where
/// there is none.
std::filesystem::path policy_path(const std::string& run);

/// The mission that a policy was made for, with `settings` in place of its keys. Errors: those of
/// parse_mission().
RunRequest mission_of(const PolicyFile& policy, const std::vector<Setting>& settings);

/// Refuses flights that lie beside the policy of another mission, but for how that is planned,
/// flown and written: somebody has copied one of the two. Errors: InputError.
void require_one_mission(RunRequest flown, const std::filesystem::path& flights,
                         const RunRequest& planned, const std::filesystem::path& policy);

}  // namespace tidewise
