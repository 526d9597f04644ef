#pragma once

#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "env/points.h"
#include "learning/track/track.h"

namespace tidewise {

/// The error of a forecast's velocity along one leg: the observed mean flow minus the forecast's.
struct ErrorSample {
  double lead = 0;      ///< from the forecast's first time to the leg's middle [s]
  double duration = 0;  ///< duration of the leg [s]
  PlanePoint at;        ///< the leg's middle [m]
  double u = 0;         ///< error along x [m s-1]
  double v = 0;         ///< error along y [m s-1]
  double variance = 0;  ///< variance of the observation's error, mean of both components [m2 s-2]
};

/// The errors that one vehicle, drifter or box of radar currents observed.
struct ErrorSeries {
  std::vector<ErrorSample> samples;  ///< by time, not empty
  bool is_fixed = false;             ///< a box of radar currents, which does not move
};

/// Compares each leg of the tracks with the forecast's mean flow along it. All tracks of vehicles
/// form one series; each drifter, and radar currents within two cells of each other, form their
/// own. Legs are left out if the forecast has no water on more than half of them. Errors:
/// InputError if the environment has no units, or if no leg is left; those of
/// EnvironmentReader::read_level().
std::vector<ErrorSeries> forecast_errors(const EnvironmentReader& forecast,
                                         const std::vector<ObservedTrack>& tracks,
                                         Progress& progress);

}  // namespace tidewise
