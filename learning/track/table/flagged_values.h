#pragma once

#include "learning/track/table/columns.h"
#include "learning/track/table/table.h"

namespace tidewise {

/// True for a column of quality flags, by its name or CF's standard_name.
bool is_quality_flag(const TrackColumn& column);

/// Removes values with bad quality flags from the columns of a track, and notes their number.
///
/// A flag belongs to a column by its ancillary_variables or by its name: u_qc, QC_U,
/// lat_qartod_location_test, and for a position or a current as a whole POSITION_QC, DAVG_CURR_QC,
/// depth_avg_curr_qc and similar names. Each of a Seaglider's three fixes has its own, GPS1_qc,
/// GPS2_qc and GPSE_qc. One bad flag of several is enough.
void leave_out_flagged(TrackTable& table, const TrackColumns& columns);

}  // namespace tidewise
