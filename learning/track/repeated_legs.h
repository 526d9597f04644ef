#pragma once

#include <vector>

#include "env/grid.h"
#include "learning/track/track.h"

namespace tidewise {

/// True if two legs of one vehicle have the same current, to the last digit in their files: tables
/// and files repeat the current of a dive until the next one. The gap between the legs must be at
/// most the duration of the longer leg, and their distance at most the length of the longer leg
/// plus `near` [m or 1].
bool repeats_current(const ObservedLeg& a, const ObservedLeg& b, double near);

/// Leaves out legs that an earlier track also has, and notes it: legs that followed its path for
/// more than half of their time, by whatever fixes, and legs that repeat its currents. Legs follow
/// the same path if one begins and ends where the other track was at these times, within a quarter
/// of a cell of `grid`. Among legs with the same current at about the same time, the longest is
/// kept.
void leave_out_repeated_legs(std::vector<ObservedTrack>& tracks, const Grid& grid);

/// Marks the legs of a track that a record of earlier observations already has, (leg). The record
/// has the flow in the plane, not as in the files. A leg is known if a track of the record of the
/// same kind repeats it, as in leave_out_repeated_legs(). A radar leg is known if the record has
/// one for more than half of its time within a box of four cells of `grid`, because the boxes of
/// another reading may be shifted.
std::vector<bool> find_learned(const ObservedTrack& track, const std::vector<ObservedTrack>& record,
                               const Grid& grid);

}  // namespace tidewise
