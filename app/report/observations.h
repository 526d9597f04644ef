#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "learning/file/posterior.h"
#include "learning/track/track.h"

namespace tidewise {

/// What tracks said, leg by leg, and what the forecast made of it; some lines of text.
std::string describe_observations(const EnvironmentReader& forecast,
                                  const std::vector<ObservedTrack>& tracks,
                                  const PosteriorReport& report);

}  // namespace tidewise
