#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "learning/file/posterior.h"
#include "learning/track/track.h"

namespace tidewise {

/// Describes the observations by leg, with the forecast's predictions of them, in several lines.
std::string describe_observations(const EnvironmentReader& forecast,
                                  const std::vector<ObservedTrack>& tracks,
                                  const PosteriorReport& report);

/// Describes the errors of the vehicle's motion by the report's dives, in several lines; resolved
/// errors as lines for a mission file.
std::string describe_vehicle_fit(const PosteriorReport& report, Units units);

}  // namespace tidewise
