#pragma once

#include <filesystem>
#include <limits>
#include <vector>

#include "tidewise/polygon.h"

namespace tidewise {

/// One polygon of a GeoJSON file, in degrees, and the period in which it is closed to vessels.
struct GeojsonPolygon {
  Polygon rings;  ///< continuous in longitude, also across 180 degrees
  double start = -std::numeric_limits<double>::infinity();  ///< [s since 1970]
  double end = std::numeric_limits<double>::infinity();     ///< [s since 1970], included
};

/// Reads the polygons of a GeoJSON file (RFC 7946): Polygon, MultiPolygon, GeometryCollection of
/// these, Feature, FeatureCollection. A feature's properties start and end (or start_time,
/// end_time, or from, until) are ISO 8601 times; without them, or if they are null, the area is
/// always closed. Errors: InputError naming the file, the feature and the remedy, also for other
/// geometries.
std::vector<GeojsonPolygon> read_geojson_polygons(const std::filesystem::path& path);

}  // namespace tidewise
