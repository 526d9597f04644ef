#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "output/run/policy_file.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Leaves of a run's mission what is still to be done by a vehicle that has passed the first
/// `passed` of its places. Errors: InputError where it has not so many.
void take_out_passed(RunRequest& request, std::size_t passed);

/// Ends a mission that departs anew when the run's did: its horizon counts from the new departure
/// to the level of `environment` at which time was up for `before`, or the last before that. Where
/// the environment ends earlier the mission does too, which adds a line to `notes`. Errors:
/// InputError where no step is left.
void end_as_before(RunRequest& request, const PolicyFile& before,
                   const EnvironmentReader& environment, std::vector<std::string>& notes);

}  // namespace tidewise
