#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "learning/file/posterior.h"
#include "learning/track/track.h"

namespace tidewise {

/// Observations by leg and the forecast's prediction of them; some lines of text.
std::string describe_observations(const EnvironmentReader& forecast,
                                  const std::vector<ObservedTrack>& tracks,
                                  const PosteriorReport& report);

/// The errors of the vehicle's motion by the report's dives, with the lines of a mission where they
/// are resolved; some lines of text.
std::string describe_vehicle_fit(const PosteriorReport& report, Units units);

}  // namespace tidewise
