#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "env/file/reader.h"
#include "solver/fly/surfacing.h"

namespace tidewise {

/// The place of the next surfacing in words: centre and half axes of both ellipses; only the centre
/// if the environment supports no probability. `departure`: in the environment's times [s or 1].
std::string describe_surfacing(const SurfacingRegion& region, const EnvironmentReader& environment,
                               double departure);

/// The next surfacing in one line: "Surfacing 28 Oct 18:00 UTC about 125.5° W 47.0° N, 90 % within
/// 2.1 × 1.4 km."
std::string describe_next_surfacing(const SurfacingRegion& region,
                                    const EnvironmentReader& environment, double departure);

/// The text for a surfacing after the plan's end, at an unknown place: "the plan ends before, 30
/// Oct 2024 15:00 UTC". `end`: in the environment's times [s or 1].
std::string describe_plan_end(double end, const EnvironmentReader& environment);

/// A region for programs: centre, time, and semi-axes with the bearing of the long one. Without
/// probability there are no ellipses.
nlohmann::ordered_json surfacing_to_json(const SurfacingRegion& region,
                                         const EnvironmentReader& environment, double departure);

/// The ellipses as polygons (RFC 7946), cut at ±180°, the larger one first; only the larger one,
/// without its probability, if the environment supports none. Errors: InputError if the environment
/// has no longitudes and latitudes.
nlohmann::ordered_json surfacing_to_geojson(const SurfacingRegion& region,
                                            const EnvironmentReader& environment, double departure);

}  // namespace tidewise
