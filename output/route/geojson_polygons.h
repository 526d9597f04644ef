#pragma once

#include <nlohmann/json.hpp>

#include "output/route/antimeridian.h"
#include "output/route/format.h"

namespace tidewise {

/// The coordinates of a MultiPolygon: the polygon, or its pieces if ±180° cuts it. In
/// RouteFrame::plane they are x and y. Empty if the polygon has no area.
nlohmann::ordered_json geojson_polygons(const GeographicPolygon& polygon, RouteFrame frame);

}  // namespace tidewise
