#pragma once

#include <cstdint>

#include "env/file/reader.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// States in which a vehicle of a mission needs an action: open cells outside the target, at levels
/// departure … last − 1.
struct OpenStates {
  std::int64_t count = 0;
  std::int64_t without_action = 0;  ///< those of them in which the policy has none
};

/// Counts them for a policy that may come from another environment, where cells were closed that
/// are open here. Errors: those of reading.
OpenStates count_open_states(const EnvironmentReader& environment, const Mission& mission,
                             const PolicySource& policy);

}  // namespace tidewise
