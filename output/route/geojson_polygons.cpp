#include "output/route/geojson_polygons.h"

#include "output/route/text.h"

namespace tidewise {
namespace {

using GeoJson = nlohmann::ordered_json;

GeoJson ring_json(const std::vector<GeographicPoint>& ring, RouteFrame frame) {
  GeoJson corners = GeoJson::array();
  for (const GeographicPoint& corner : ring) {
    corners.push_back(frame == RouteFrame::plane
                          ? GeoJson::array({corner.longitude, corner.latitude})
                          : GeoJson::array({rounded(corner.longitude, degree_decimals),
                                            rounded(corner.latitude, degree_decimals)}));
  }
  corners.push_back(corners.front());
  return corners;
}

}  // namespace

GeoJson geojson_polygons(const GeographicPolygon& polygon, RouteFrame frame) {
  const std::vector<GeographicPolygon> pieces = frame == RouteFrame::geographic
                                                    ? cut_polygon(polygon)
                                                    : std::vector<GeographicPolygon>{polygon};
  GeoJson polygons = GeoJson::array();
  for (const GeographicPolygon& piece : pieces) {
    GeoJson rings = GeoJson::array({ring_json(piece.outer, frame)});
    for (const auto& hole : piece.holes) rings.push_back(ring_json(hole, frame));
    polygons.push_back(std::move(rings));
  }
  return polygons;
}

}  // namespace tidewise
