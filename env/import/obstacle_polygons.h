#pragma once

#include <filesystem>
#include <limits>
#include <vector>

#include "env/import/grid/local_plane.h"

namespace tidewise::ingest {

using Ring = std::vector<GeographicPoint>;  ///< closed: the last point is the first

/// One polygon of a GeoJSON file: its outline, then its holes, and when it is closed to vessels.
struct ObstaclePolygon {
  std::vector<Ring> rings;
  double start = -std::numeric_limits<double>::infinity();  ///< [s since 1970]
  double end = std::numeric_limits<double>::infinity();     ///< [s since 1970], included
};

/// Polygons of a GeoJSON file (RFC 7946): Polygon, MultiPolygon, GeometryCollection of them,
/// Feature, FeatureCollection. A feature's properties start and end (or start_time, end_time) are
/// ISO 8601 times; absent or null, it is always closed. Errors: InputError naming the file, the
/// feature and the mend; other geometries among them.
std::vector<ObstaclePolygon> read_obstacles(const std::filesystem::path& path);

}  // namespace tidewise::ingest
