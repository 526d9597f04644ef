#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "env/points.h"
#include "solver/fly/flight_end.h"
#include "solver/fly/rollout.h"
#include "solver/step/mission.h"

namespace tidewise {

/// A point to steer for, with the speed through the water and the profile on the leg to it.
struct WaypointAim {
  PlanePoint place;          ///< [m or 1]
  double speed = 0;          ///< [m s-1 or 1]
  std::int32_t profile = 0;  ///< one of the environment's profiles
};

/// Flights that follow waypoints.
struct WaypointFlights {
  double capture_radius = 0;    ///< distance at which waypoints other than the last count as
                                ///< reached [m or 1]
  std::vector<FlightEnd> ends;  ///< in the order of flight_numbers()
  /// Times since departure at which each waypoint was reached, (flight, aim) [s or 1]: within the
  /// capture radius, and the target at its edge; NaN if the waypoint was not reached.
  std::vector<double> reached;
  /// Times since departure at which each waypoint's point was passed, (flight, aim) [s or 1]: where
  /// the flight was nearest to it within the capture radius; for the target, the time at which its
  /// point would be reached; NaN if the waypoint was not passed.
  std::vector<double> passed;
};

/// Simulates flights from the mission's start at departure through options.realizations
/// (waypoint_step.h), from one of `aims` to the next, without a policy and ignoring the current.
/// The last aim is the mission's target. The first `aims_to_via` aims lie before the last via
/// point; until they are reached, the target does not end the flight. Flights end as those of fly()
/// in continuous mode. All flights are made with each of `capture_radii` on the CPU, and each level
/// is read once. Requires at least one aim and one radius, all radii above 0. Errors: those of
/// fly().
std::vector<WaypointFlights> fly_waypoints(const EnvironmentReader& environment,
                                           const Mission& mission,
                                           const std::vector<WaypointAim>& aims,
                                           std::size_t aims_to_via,
                                           const std::vector<double>& capture_radii,
                                           const RolloutOptions& options, Progress& progress);

}  // namespace tidewise
