#pragma once

#include "learning/track/table/columns.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// Reduces a table of all measurements of a glider, with currents on the rows between fixes, to one
/// row per fix. Each fix gets the time mean of the currents between the previous fix and itself,
/// the number of their dive and its greatest depth. A table with currents on the rows of fixes does
/// not change.
void gather_dives(TrackTable& table, const TrackColumns& columns);

/// True if a table holds the fixes around one dive of a Seaglider.
bool is_seaglider_dive(const TrackTable& table);

/// The kind of file by a table's columns: "a Seaglider's dive file"; "" if unknown.
std::string file_kind_of(const TrackTable& table);

}  // namespace tidewise
