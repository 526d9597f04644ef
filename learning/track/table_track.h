#pragma once

#include "env/file/reader.h"
#include "learning/track/table/table.h"
#include "learning/track/track.h"

namespace tidewise {

/// Makes the track of a table of any format. Errors: those of read_track(); NoLeg if no leg lies in
/// the environment.
ObservedTrack read_table_track(const TrackTable& table, const EnvironmentReader& environment,
                               const TrackOptions& options);

/// Makes the track of a vehicle's or drifter's table, after removing values with bad quality flags
/// and gathering the rows of each dive. Errors: as read_table_track().
ObservedTrack read_vehicle_table(TrackTable table, const EnvironmentReader& environment,
                                 const TrackOptions& options);

}  // namespace tidewise
