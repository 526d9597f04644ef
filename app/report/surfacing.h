#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "env/file/reader.h"
#include "solver/fly/surfacing.h"

namespace tidewise {

/// Where a vehicle comes up next, in words: centre, and half axes of both ellipses, the centre
/// alone where the environment supports no probability. `departure`: in the environment's times [s
/// or 1].
std::string describe_surfacing(const SurfacingRegion& region, const EnvironmentReader& environment,
                               double departure);

/// The same in a line: "Surfacing 28 Oct 18:00 UTC about 125.5° W 47.0° N, 90 % within 2.1 × 1.4
/// km."
std::string describe_next_surfacing(const SurfacingRegion& region,
                                    const EnvironmentReader& environment, double departure);

/// That the vehicle comes up after the plan's end, in the environment's times [s or 1], and nobody
/// knows where: "the plan ends before, 30 Oct 2024 15:00 UTC".
std::string describe_plan_end(double end, const EnvironmentReader& environment);

/// A region for programs: centre, time, and semi-axes with the bearing of the long one. Without
/// probability there are no ellipses.
nlohmann::ordered_json surfacing_to_json(const SurfacingRegion& region,
                                         const EnvironmentReader& environment, double departure);

/// The ellipses as polygons (RFC 7946), cut at ±180°, the larger one first; that alone, without its
/// probability, where the environment supports none. Errors: InputError
/// where the environment has no longitudes and latitudes.
nlohmann::ordered_json surfacing_to_geojson(const SurfacingRegion& region,
                                            const EnvironmentReader& environment, double departure);

}  // namespace tidewise
