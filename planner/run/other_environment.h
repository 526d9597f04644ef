#pragma once

#include <optional>
#include <string>

#include "env/file/reader.h"
#include "output/run/policy_file.h"
#include "output/run/summary.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Puts another environment in place of the one that a run was planned on: `environment`, whose
/// variables have their standard names but for `names`. Gives what the summary says
/// of the planning; nothing, and the mission as it was, where the file is the run's own, as it was
/// then, and no names are given or its own. Errors: those of reading it.
std::optional<PlannedOn> change_environment(RunRequest& request, const PolicyFile& policy,
                                            const std::string& environment,
                                            const std::optional<EnvironmentNames>& names);

/// Refuses to fly a policy in an environment of other cells, times, units or another projection
/// than it was made for. Its levels may go on after the policy's. Errors: InputError.
void require_same_place(const PolicyFile& policy, const EnvironmentReader& environment);

}  // namespace tidewise
