#pragma once

#include <vector>

#include "env/grid.h"
#include "learning/track/track.h"

namespace tidewise {

/// Whether two legs of one vehicle have the same current, to the last digit of what their files
/// name: tables and files repeat that of a dive until the next one. They have to be within the
/// longer one's time of each other, and within its way of each other [`near`: m or 1].
bool repeats_current(const ObservedLeg& a, const ObservedLeg& b, double near);

/// Leaves out legs that an earlier one of the tracks has too, and notes it: those that for more
/// than half of their time were on its way, by whatever fixes, and those that repeat its currents.
/// On one way are legs of which one begins and ends where the other track was at that time, within
/// a quarter of a cell of `grid`. Of legs with the same current around the same time the longest is
/// kept.
void leave_out_repeated_legs(std::vector<ObservedTrack>& tracks, const Grid& grid);

/// Which legs of a track a record has already, of which it has the flow in the plane and not as it
/// was told: of the record's tracks of the same kind those that repeat it as above. Of radars it is
/// what the record has for more than half of the time within a box, of four cells of `grid`: the
/// boxes of another reading may lie elsewhere.
std::vector<bool> find_learned(const ObservedTrack& track, const std::vector<ObservedTrack>& record,
                               const Grid& grid);

}  // namespace tidewise
