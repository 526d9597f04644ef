#pragma once

#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/fly/baseline_fleet.h"
#include "solver/fly/flight_end.h"
#include "solver/fly/rollout.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Simulates each baseline controller at each of `speeds` from the mission's start at departure, in
/// continuous mode, through options.realizations. All flights advance together, so each level is
/// read once. Flights end as those of fly() and keep no points. Order: controllers, then speeds as
/// given, then flights as in fly(). Errors: those of fly().
std::vector<BaselineFlights> fly_baselines(const EnvironmentReader& environment,
                                           const Mission& mission,
                                           const std::vector<BaselineSpeed>& speeds,
                                           const RolloutOptions& options, Progress& progress);

}  // namespace tidewise
