#pragma once

#include "env/file/reader.h"
#include "learning/track/table/table.h"
#include "learning/track/track.h"

namespace tidewise {

/// The track of a table, whatever file it is from. Errors: those of read_track(); NoLeg where no
/// leg lies in the environment.
ObservedTrack read_table_track(const TrackTable& table, const EnvironmentReader& environment,
                               const TrackOptions& options);

/// The same of a vehicle's or drifter's table, without values that its flags call bad, and a row a
/// dive where it has several.
ObservedTrack read_vehicle_table(TrackTable table, const EnvironmentReader& environment,
                                 const TrackOptions& options);

}  // namespace tidewise
