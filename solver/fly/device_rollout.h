#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "solver/fly/rollout.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// fly() on the current device: the same trajectories to the last bit. Points stay on the device
/// until all flights have ended, or until they fill options.log_memory. Errors: those of fly().
RolloutResult fly_on_device(DeviceEnvironment& environment, const PlanningProblem& problem,
                            const PolicySource& policy, const RolloutOptions& options,
                            Progress& progress);

}  // namespace tidewise
