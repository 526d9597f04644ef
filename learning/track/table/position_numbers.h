#pragma once

#include "learning/track/table/table.h"

namespace tidewise {

/// True for a number of degrees that means "unknown": nines beyond `limit`, such as 999.999 or
/// -9999, and numbers too large for any notation, such as a Slocum's 69696969.
bool is_fill_degrees(double degrees, double limit);

/// The value of the last digit of a column's numbers: 0.001 if its longest number is like "47.125".
double last_digit_of(const TrackColumn& column);

}  // namespace tidewise
