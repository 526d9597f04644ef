#pragma once

#include <string>
#include <vector>

#include "planner/mission/read/file.h"
#include "planner/run/comparison.h"

namespace tidewise {

/// Opens what 'tidewise plan' left. `name`: as the user typed it, the folder or its policy.h5.
/// `settings` change the mission (its backend, say). Errors: InputError where a file is missing or
/// is not what it should be.
ComparedRun open_compared_run(const std::string& name, const std::vector<Setting>& settings);

}  // namespace tidewise
