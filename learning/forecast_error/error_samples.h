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
  double duration = 0;  ///< of the leg [s]
  PlanePoint at;        ///< the leg's middle [m]
  double u = 0;         ///< along x [m s-1]
  double v = 0;
  double variance = 0;  ///< of the observation's own error, mean of both components [m2 s-2]
};

/// The errors that one vehicle, drifter or box of radar currents observed.
struct ErrorSeries {
  std::vector<ErrorSample> samples;  ///< by time, not empty
  bool is_fixed = false;             ///< a box of radar currents, which stays at its place
};

/// Compares each leg of the tracks with the forecast's mean flow along it. All tracks of vehicles
/// make one series, each drifter makes its own, and so do radar currents within two cells of each
/// other. Legs of which more than half has no water in the forecast are left out. Errors:
/// InputError where the environment is without units or no leg is left; those of
/// EnvironmentReader::read_level().
std::vector<ErrorSeries> forecast_errors(const EnvironmentReader& forecast,
                                         const std::vector<ObservedTrack>& tracks,
                                         Progress& progress);

}  // namespace tidewise
