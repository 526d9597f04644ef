#include <fmt/format.h>

#include <algorithm>

#include "output/route/antimeridian.h"
#include "output/route/text.h"
#include "output/route/writers.h"
#include "output/route/xml.h"

namespace tidewise {
namespace {

std::string kml_place(const GeographicPoint& place) {
  return fmt::format("{},{},0", longitude_text(place.longitude), latitude_text(place.latitude));
}

/// On a cut, 180 stays 180: the piece ends there.
std::string kml_cut_place(const GeographicPoint& place) {
  return place.longitude == 180 ? fmt::format("180,{},0", latitude_text(place.latitude))
                                : kml_place(place);
}

void write_line(XmlWriter& xml, const std::vector<GeographicPoint>& places) {
  const auto pieces = cut_line(places);
  if (pieces.size() > 1) xml.begin("MultiGeometry");
  for (const std::vector<CutPoint>& piece : pieces) {
    std::string coordinates;
    for (const CutPoint& point : piece) {
      coordinates += (coordinates.empty() ? "" : " ") + kml_cut_place(point.place);
    }
    xml.begin("LineString");
    xml.text("tessellate", "1");
    xml.text("coordinates", coordinates);
    xml.end();
  }
  if (pieces.size() > 1) xml.end();
}

void write_ring(XmlWriter& xml, std::string_view name, const std::vector<GeographicPoint>& ring) {
  std::string coordinates;
  for (const GeographicPoint& corner : ring) coordinates += kml_cut_place(corner) + ' ';
  coordinates += kml_cut_place(ring.front());
  xml.begin(name);
  xml.begin("LinearRing");
  xml.text("coordinates", coordinates);
  xml.end();
  xml.end();
}

void write_line_style(XmlWriter& xml, const std::string& id, const std::string& colour, int width) {
  xml.begin("Style", {{"id", id}});
  xml.begin("LineStyle");
  xml.text("color", colour);
  xml.text("width", fmt::format("{}", width));
  xml.end();
  xml.end();
}

/// Colours are aabbggrr; they can be distinguished with any colour vision (Okabe and Ito, 2008).
void write_styles(XmlWriter& xml) {
  write_line_style(xml, "route", "ff00ffff", 4);
  write_line_style(xml, "arrived", "80e9b456", 1);
  write_line_style(xml, "failed", "c0005ed5", 2);
  xml.begin("Style", {{"id", "obstacle"}});
  xml.begin("LineStyle");
  xml.text("color", "ff404040");
  xml.text("width", "1");
  xml.end();
  xml.begin("PolyStyle");
  xml.text("color", "80404040");
  xml.end();
  xml.end();
}

void write_kml_waypoints(XmlWriter& xml, const Route& route) {
  xml.begin("Folder");
  xml.text("name", "Waypoints");
  for (const RouteWaypoint& waypoint : route.waypoints) {
    // No TimeStamp: it would hide the waypoint at all other times.
    xml.begin("Placemark");
    xml.text("name", waypoint.name);
    xml.text("description", waypoint_note(route, waypoint));
    xml.begin("Point");
    xml.text("coordinates", kml_place(*waypoint.place));
    xml.end();
    xml.end();
  }
  xml.end();
}

void write_kml_track(XmlWriter& xml, const RouteTrack& track) {
  const bool has_dates =
      std::all_of(track.points.begin(), track.points.end(),
                  [](const RoutePoint& point) { return point.instant.has_value(); });
  xml.begin("Placemark");
  xml.text("name", track.name);
  xml.text("description", outcome_text(track.outcome));
  xml.text("styleUrl", track.outcome == TrajectoryOutcome::arrived ? "#arrived" : "#failed");
  if (has_dates) {
    xml.begin("gx:Track");
    for (const RoutePoint& point : track.points) xml.text("when", utc_text(*point.instant));
    for (const RoutePoint& point : track.points) {
      xml.text("gx:coord", fmt::format("{} {} 0", longitude_text(point.place->longitude),
                                       latitude_text(point.place->latitude)));
    }
    xml.end();
  } else {
    std::vector<GeographicPoint> places;
    for (const RoutePoint& point : track.points) places.push_back(*point.place);
    write_line(xml, places);
  }
  xml.end();
}

void write_kml_obstacle(XmlWriter& xml, const RouteObstacle& obstacle) {
  GeographicPolygon polygon{obstacle.outer.places, {}};
  for (const RouteObstacle::Ring& hole : obstacle.holes) polygon.holes.push_back(hole.places);
  const std::vector<GeographicPolygon> pieces = cut_polygon(polygon);
  if (pieces.empty()) return;
  xml.begin("Placemark");
  xml.text("name", obstacle.is_standing ? "closed" : "closed for a time");
  if (!obstacle.is_standing && obstacle.from_instant && obstacle.to_instant) {
    xml.begin("TimeSpan");
    xml.text("begin", utc_text(*obstacle.from_instant));
    xml.text("end", utc_text(*obstacle.to_instant));
    xml.end();
  }
  xml.text("styleUrl", "#obstacle");
  if (pieces.size() > 1) xml.begin("MultiGeometry");
  for (const GeographicPolygon& piece : pieces) {
    xml.begin("Polygon");
    write_ring(xml, "outerBoundaryIs", piece.outer);
    for (const auto& hole : piece.holes) write_ring(xml, "innerBoundaryIs", hole);
    xml.end();
  }
  if (pieces.size() > 1) xml.end();
  xml.end();
}

}  // namespace

std::string to_kml(const Route& route, const FormatOptions&) {
  std::string notes;
  for (const std::string& note : route_notes(route)) notes += (notes.empty() ? "" : "\n") + note;
  XmlWriter xml;
  xml.begin("kml", {{"xmlns", "http://www.opengis.net/kml/2.2"},
                    {"xmlns:gx", "http://www.google.com/kml/ext/2.2"}});
  xml.begin("Document");
  xml.text("name", route.name);
  xml.text("description", notes);
  write_styles(xml);
  xml.begin("ExtendedData");
  xml.begin("Data", {{"name", "mission"}});
  xml.text("value", route.mission);
  xml.end();
  xml.end();
  xml.begin("Placemark");
  xml.text("name", "Route");
  xml.text("description", notes);
  xml.text("styleUrl", "#route");
  std::vector<GeographicPoint> places;
  for (const RouteWaypoint& waypoint : route.waypoints) places.push_back(*waypoint.place);
  write_line(xml, places);
  xml.end();
  write_kml_waypoints(xml, route);
  xml.begin("Folder");
  xml.text("name", "Flights");
  for (const RouteTrack& track : route.tracks) write_kml_track(xml, track);
  xml.end();
  xml.begin("Folder");
  xml.text("name", "Obstacles");
  for (const RouteObstacle& obstacle : route.obstacles) write_kml_obstacle(xml, obstacle);
  xml.end();
  xml.end();
  xml.end();
  return xml.take();
}

}  // namespace tidewise
