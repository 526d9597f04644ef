#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "env/file/reader.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Writes trajectories.nc: NetCDF-4, CF-1.9 discrete sampling geometry, featureType = trajectory.
/// - x, y, time [environment's units], lon, lat if the environment has them [degrees], heading
///   [rad counter-clockwise from +x], speed, energy, harvested: (trajectory, obs), NaN (_FillValue)
///   after a flight's end; with lon and lat also bearing [degrees clockwise from true north].
/// - outcome (trajectory): 0 arrived, 1 obstacle, 2 out of the domain, 3 out of time, 4 out of
/// energy.
/// - realization, total_reward (trajectory); trajectory: the identifier (cf_role).
/// - root attributes: rollout_mode, objective, target_x, target_y.
/// `mission_text`: the resolved mission (TOML), echoed as the root attribute `mission`.
/// `planned_on`: the environment that the policy was made for, if it is another one (root attribute
/// `planned_on`); else empty.
/// `steered_by`: the steering if it was not the policy; replaces the mode.
/// `max_tracks`: maximum number of flights whose points are written, evenly spaced among all. If
/// there are more flights, `trajectory` has their numbers, and end_time, end_x, end_y, end_energy,
/// end_harvested, end_steps, end_outcome, end_realization, end_total_reward (flight) are the ends
/// of all.
/// The bytes do not depend on `threads`. Errors: InputError for a path that cannot be written to,
/// RunError when writing fails.
void write_trajectories(const std::filesystem::path& path, const EnvironmentReader& environment,
                        const Mission& mission, const RolloutResult& rollout,
                        const std::string& mission_text, std::int32_t threads = 1,
                        const std::string& planned_on = {}, const std::string& steered_by = {},
                        std::size_t max_tracks = std::numeric_limits<std::size_t>::max());

}  // namespace tidewise
