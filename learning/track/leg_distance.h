#pragma once

#include <optional>

#include "env/file/reader.h"
#include "learning/track/track.h"

namespace tidewise {

/// How far the mean flow along a leg is from what the forecast has there, in standard deviations of
/// what its ensemble, whose spread is multiplied by `inflation`, and the leg's errors allow, both
/// components together: √(dᵀ(HPHᵀ + R)⁻¹d), by which EnsembleSmoother rejects legs. Nothing where
/// the forecast has no water on most of the way, or neither spread nor errors are there. Before the
/// first level the flow is that of the first, after the last that of the one before it. Errors:
/// those of EnvironmentReader::read_level().
std::optional<double> distance_from_forecast(const ObservedLeg& leg,
                                             const EnvironmentReader& forecast, double inflation);

}  // namespace tidewise
