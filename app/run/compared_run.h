#pragma once

#include <string>
#include <vector>

#include "planner/mission/read/file.h"
#include "planner/run/comparison.h"

namespace tidewise {

/// Opens a run of 'tidewise plan'. `name`: the folder or its policy.h5, as the user typed it.
/// `settings` change the mission (for example its backend). Errors: InputError for a missing or
/// invalid file.
ComparedRun open_compared_run(const std::string& name, const std::vector<Setting>& settings);

}  // namespace tidewise
