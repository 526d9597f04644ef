#pragma once

#include "learning/track/fixes.h"

namespace tidewise {

/// Makes the track's legs, each from a fix to the next, as read_track() describes. Also sets the
/// track's last fix, the source of its flow, and notes on irregularities. Requires two fixes.
void make_legs_of_fixes(const TrackRows& rows, TrackFixes& fixes, ObservedTrack& track);

}  // namespace tidewise
