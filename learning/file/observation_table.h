#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/file/writer.h"
#include "learning/track/track.h"

namespace tidewise {

struct LegVerdict;

/// What an environment has learned from before: the columns of its dimension `observation`.
struct ObservationTable {
  std::vector<EnvironmentSeries> columns;  ///< values (observation); none: it has learned nothing
  std::vector<double> end;                 ///< when each leg ended, in the environment's times
  /// Its legs as tracks: whose they are, when and where they began and ended. A vehicle's several
  /// tracks may be one.
  std::vector<ObservedTrack> tracks;
  std::optional<double> unknown_until;  ///< when the last leg ended of which it does not say that
};

/// Errors: InputError where the file cannot be read.
ObservationTable read_observation_table(const EnvironmentReader& reader);

/// Writes the earlier rows and those of `legs`, a leg each.
void write_observation_table(EnvironmentWriter& writer, const ObservationTable& earlier,
                             const std::vector<LegVerdict>& legs, const std::string& unit,
                             const EnvironmentInfo& info);

}  // namespace tidewise
