#pragma once

#include "solver/fly/flight_end.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

// A vehicle's battery (docs/model.md, 4.2): full at the departure, emptied by what is spent and
// filled by what is harvested, up to what it holds. Nothing of the kind where the mission has none.

/// Ends a flight where its battery is empty, `out_of_energy` and priced as being late there, and
/// notes what is left at its end. `step`: Δt [s or 1].
void drain(Trajectory& flight, const Mission& mission, double step);
/// The same of a flight of which only the end is known: it has run empty where it has spent more
/// than it harvested and the battery held.
void drain(FlightEnd& flight, const Mission& mission);

}  // namespace tidewise
