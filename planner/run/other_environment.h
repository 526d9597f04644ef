#pragma once

#include <optional>
#include <string>

#include "env/file/reader.h"
#include "output/run/policy_file.h"
#include "output/run/summary.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Replaces the environment of a run by `environment`, whose variables have their standard names
/// unless `names` gives others. Returns a description of the planning environment for the summary.
/// Returns nullopt and leaves the mission unchanged if the file is the run's own, has not changed
/// since, and `names` are absent or the run's. Errors: those of reading the file.
std::optional<PlannedOn> change_environment(RunRequest& request, const PolicyFile& policy,
                                            const std::string& environment,
                                            const std::optional<EnvironmentNames>& names);

/// Refuses to fly a policy in an environment of other cells, times, units or another projection
/// than it was made for. The environment may continue after the policy's last level. Errors:
/// InputError.
void require_same_place(const PolicyFile& policy, const EnvironmentReader& environment);

}  // namespace tidewise
