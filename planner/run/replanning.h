#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "output/run/policy_file.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Removes the first `passed` via points, which the vehicle has passed, from a mission. Errors:
/// InputError if there are fewer.
void take_out_passed(RunRequest& request, std::size_t passed);

/// Ends a replanned mission when the original one ended: its horizon counts from the new departure
/// to the level of `environment` at which the time of `before` was up, or the level before. If the
/// environment ends earlier, so does the mission, and a line is added to `notes`. Errors:
/// InputError if no step is left.
void end_as_before(RunRequest& request, const PolicyFile& before,
                   const EnvironmentReader& environment, std::vector<std::string>& notes);

}  // namespace tidewise
