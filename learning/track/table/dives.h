#pragma once

#include "learning/track/table/columns.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// Makes of a table of all that a glider measured, with its currents on the rows between its fixes,
/// one of the fixes alone: each with the mean over time of the currents that stand between the fix
/// before it and itself, the number of their dive and its greatest depth. A table whose currents
/// stand on the rows of fixes stays as it is.
void gather_dives(TrackTable& table, const TrackColumns& columns);

/// Whether a table holds the fixes around one dive of a Seaglider.
bool is_seaglider_dive(const TrackTable& table);

/// Whose file a table's columns are of: "a Seaglider's dive file"; "" for no form that is known.
std::string form_of(const TrackTable& table);

}  // namespace tidewise
