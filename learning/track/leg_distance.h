#pragma once

#include <optional>

#include "env/file/reader.h"
#include "learning/track/track.h"

namespace tidewise {

/// The distance of the mean flow along a leg from the forecast, in standard deviations of the
/// ensemble, with its spread multiplied by `inflation`, and of the leg's errors, both components
/// together: √(dᵀ(HPHᵀ + R)⁻¹d). EnsembleSmoother rejects legs by it. nullopt if the forecast has
/// no water on most of the leg, or if there is neither spread nor error. Before the first level the
/// flow is that of the first level, after the last one that of the level before. Errors: those of
/// EnvironmentReader::read_level().
std::optional<double> distance_from_forecast(const ObservedLeg& leg,
                                             const EnvironmentReader& forecast, double inflation);

}  // namespace tidewise
