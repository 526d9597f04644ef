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

/// A point to go to, how fast through the water, and what is dived on the way there.
struct WaypointAim {
  PlanePoint place;          ///< [m or 1]
  double speed = 0;          ///< [m s-1 or 1]
  std::int32_t profile = 0;  ///< of those that the environment brings velocities of
};

/// Flights that follow waypoints.
struct WaypointFlights {
  double capture_radius = 0;    ///< within which one but the last counts as reached [m or 1]
  std::vector<FlightEnd> ends;  ///< in the order of flight_numbers()
  /// When each waypoint counted as reached, since departure [s or 1], NaN where it did not: within
  /// the capture radius, and of the target at its edge. (flight, aim)
  std::vector<double> reached;
  /// When each waypoint's point itself was passed, as near as the flight came to it within the
  /// capture radius; of the target, when its point would be reached. As `reached`. (flight, aim)
  std::vector<double> passed;
};

/// Flies from the mission's start at its departure through options.realizations (waypoint_step.h),
/// from one of `aims` to the next, without a policy and without regard of the current; the last one
/// is the mission's target. The first `until_places` of them lie on the way to the places that the
/// mission passes: before they are reached, the target ends nothing. Flights end as those of fly()
/// do in continuous mode. All of them are flown with each of `capture_radii`, in one reading of the
/// levels. On the CPU. Requires an aim, a radius, and all of them above 0. Errors: those of fly().
std::vector<WaypointFlights> fly_waypoints(const EnvironmentReader& environment,
                                           const Mission& mission,
                                           const std::vector<WaypointAim>& aims,
                                           std::size_t until_places,
                                           const std::vector<double>& capture_radii,
                                           const RolloutOptions& options, Progress& progress);

}  // namespace tidewise
