#pragma once

#include "planner/mission/request.h"

namespace tidewise {

/// Refuses numbers that no mission file would be read with, such as no speed or a horizon of 0
/// steps; what the environment has to say comes after (resolution.h). Errors: InputError.
void validate_request(const RunRequest& request);

}  // namespace tidewise
