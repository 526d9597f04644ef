#pragma once

#include <nlohmann/json.hpp>

#include "output/route/antimeridian.h"
#include "output/route/format.h"

namespace tidewise {

/// The coordinates of a MultiPolygon: a polygon, and the pieces of one that ±180° cuts; of x and y
/// where the frame is the plane, in place of longitude and latitude. Empty where it has no area.
nlohmann::ordered_json geojson_polygons(const GeographicPolygon& polygon, RouteFrame frame);

}  // namespace tidewise
