#pragma once

#include "learning/track/fixes.h"

namespace tidewise {

/// Makes the track's legs from currents with their own times and positions, which may be repeated
/// on many rows; adds these positions to `points`. Errors: InputError if the table has no such
/// current, or does not give the averaging time; NoLeg if none is inside.
void make_legs_of_points(TrackRows& rows, TrackFixes& points, ObservedTrack& track);

}  // namespace tidewise
