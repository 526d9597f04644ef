#pragma once

#include "learning/track/fixes.h"

namespace tidewise {

/// Makes the track's legs of currents that have times and places of their own, which may be
/// repeated on many rows; `points` gets these places. Errors: InputError where the table has no
/// such current, or does not say over how long they are means; NoLeg where none is inside.
void make_legs_of_points(TrackRows& rows, TrackFixes& points, ObservedTrack& track);

}  // namespace tidewise
