#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/points.h"
#include "output/score/prediction.h"

namespace tidewise {

/// Place and time of a vehicle.
struct GlobeFix {
  double time = 0;  ///< [s since 1970]
  GeographicPoint at;
};

/// Two or more fixes with different times, ascending.
using GlobeTrack = std::vector<GlobeFix>;

/// Returns the tracks of a file in any format that 'tidewise observe' reads, one for each vehicle.
/// Rows without a time or a place are skipped. Errors: InputError for a file without dates,
/// longitudes and latitudes, or with fewer than two fixes.
std::vector<GlobeTrack> read_globe_tracks(const std::filesystem::path& path);

/// Outcome of a prediction, or the reason why a track does not show it.
struct TrackOutcome {
  std::optional<PredictionOutcome> outcome;
  std::string reason;
};

/// Returns the outcome of a prediction by a track. The vehicle moves straight and evenly between
/// two fixes; it arrives at its first entry into the target after the via points in their order.
/// The track must be of this vehicle and cover the mission: it is within 5 km of the start at the
/// departure (more if the next fix is far in time: 3 m/s), lasts until the arrival or the deadline,
/// and has no gap until then that is longer than a quarter of the mission. A surfacing is compared
/// with the position at the predicted time. A fix must exist within a quarter of the time from the
/// departure to the surfacing.
TrackOutcome outcome_of(const Prediction& prediction, const GlobeTrack& track);

}  // namespace tidewise
