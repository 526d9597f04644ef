#pragma once

#include <cstdint>

#include "env/file/reader.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Numbers of states in which a mission's vehicle needs an action: open cells outside the target,
/// at levels departure … last − 1.
struct OpenStates {
  std::int64_t count = 0;
  std::int64_t without_action = 0;  ///< number of states for which the policy has no action
};

/// Counts these states for a policy that may come from another environment, in which other cells
/// were closed. Errors: those of reading.
OpenStates count_open_states(const EnvironmentReader& environment, const Mission& mission,
                             const PolicySource& policy);

}  // namespace tidewise
