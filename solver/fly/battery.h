#pragma once

#include <cstddef>
#include <limits>

#include "solver/fly/flight_end.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

// A vehicle's battery (docs/model.md, 4.2): full at departure, emptied by energy spent and filled
// by energy harvested, up to its capacity. Without a battery these functions do nothing.

/// Number of tracks to keep (RolloutOptions::tracks) where `requested` are requested: with a
/// battery all, since drain() needs all points of a flight.
inline std::size_t tracks_to_keep(const Mission& mission, std::size_t requested) {
  return mission.battery ? std::numeric_limits<std::size_t>::max() : requested;
}

/// Ends a flight whose battery becomes empty with `out_of_energy` and the penalty for being late
/// there; sets the energy left at its end. `step`: Δt [s or 1].
void drain(Trajectory& flight, const Mission& mission, double step);
/// drain() for a flight of which only the end is known. Its battery is empty if it has spent more
/// than it harvested plus the capacity.
void drain(FlightEnd& flight, const Mission& mission);

}  // namespace tidewise
