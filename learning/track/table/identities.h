#pragma once

#include <vector>

#include "learning/track/table/columns.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// A table for each of several vehicles that a column tells apart (TrackRole::identity), in the
/// order in which they come; else the table itself. Rows of which the column says nothing are left
/// out, and the first table notes it.
std::vector<TrackTable> split_by_identity(TrackTable table, const TrackColumns& columns);

}  // namespace tidewise
