#pragma once

#include "learning/track/table.h"

namespace tidewise {

/// Whether a number of degrees stands for "unknown": nines beyond `most`, such as 999.999 or -9999,
/// and what is too large for any notation, such as a Slocum's 69696969.
bool is_fill_degrees(double degrees, double most);

/// What the last digit of a column's numbers stands for: 0.001 for "47.125" and coarser numbers.
double last_digit_of(const TrackColumn& column);

}  // namespace tidewise
