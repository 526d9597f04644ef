#pragma once

#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "solver/fly/rollout.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// fly_policies() on the current device, with the same bits. The flights of all members make each
/// step together. Points stay on the device until all flights have ended, or until they fill the
/// first member's log_memory. Errors: those of fly_policies().
std::vector<MemberFlights> fly_policies_on_device(DeviceEnvironment& environment,
                                                  const PositionRule& rule,
                                                  const std::vector<Action>& actions,
                                                  const std::vector<FlightMember>& members,
                                                  Progress& progress);

}  // namespace tidewise
