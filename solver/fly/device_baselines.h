#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "solver/fly/baseline_fleet.h"
#include "solver/fly/rollout.h"
#include "solver/step/mission.h"

namespace tidewise {

/// fly_baselines() on the current device, with the same bits. Errors: those of fly().
std::vector<BaselineFlights> fly_baselines_on_device(DeviceEnvironment& environment,
                                                     const Mission& mission,
                                                     const std::vector<BaselineSpeed>& speeds,
                                                     const RolloutOptions& options,
                                                     Progress& progress);

}  // namespace tidewise
