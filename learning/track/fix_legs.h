#pragma once

#include "learning/track/fixes.h"

namespace tidewise {

/// Makes the track's legs, each from a fix to the next, as read_track() describes. Where the track
/// ends, what the flow comes from and what is odd is written into the track. Requires two fixes.
void make_legs_of_fixes(const TrackRows& rows, TrackFixes& fixes, ObservedTrack& track);

}  // namespace tidewise
