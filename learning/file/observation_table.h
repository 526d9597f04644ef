#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/file/writer.h"
#include "learning/track/track.h"

namespace tidewise {

struct LegResult;

/// The observations by which an environment has been corrected already: the columns of its
/// dimension `observation`.
struct ObservationTable {
  std::vector<EnvironmentSeries> columns;  ///< values (observation); empty if there are none
  std::vector<double> end;                 ///< end of each leg, in the environment's times
  /// The legs as tracks, with observer, times and end points. Several tracks of a vehicle may be
  /// joined.
  std::vector<ObservedTrack> tracks;
  std::optional<double> unknown_until;  ///< end of the last leg whose end points are not recorded
};

/// Reads the table of an environment. Errors: InputError if the file cannot be read.
ObservationTable read_observation_table(const EnvironmentReader& reader);

/// Writes the earlier rows, and one row for each of `legs`.
void write_observation_table(EnvironmentWriter& writer, const ObservationTable& earlier,
                             const std::vector<LegResult>& legs, const std::string& unit,
                             const EnvironmentInfo& info);

}  // namespace tidewise
