#pragma once

#include "env/environment_info.h"
#include "output/run/trajectory_reader.h"
#include "solver/step/mission.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// The flights of a trajectories.nc of this mission. Errors: InputError for what no rollout of it
/// leaves.
std::vector<Trajectory> read_flights(const TrajectoryReader& file, const EnvironmentInfo& info,
                                     const Mission& mission);

}  // namespace tidewise
