#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device_environment.h"
#include "solver/forward_evaluation.h"
#include "solver/rollout.h"

namespace tidewise {

/// fly() on the current device: the same trajectories to the last bit. Points stay on the device
/// until all flights have ended. Errors: those of fly().
RolloutResult fly_on_device(DeviceEnvironment& environment, const std::vector<Action>& actions,
                            const Mission& mission, const PolicySource& policy,
                            const RolloutOptions& options, Progress& progress);

/// evaluate_policy() on the current device: the same bits. Errors: those of evaluate_policy().
ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& environment,
                                          const std::vector<Action>& actions,
                                          const Mission& mission, const PolicySource& policy,
                                          Progress& progress);

}  // namespace tidewise
