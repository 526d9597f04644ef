
#include "output/route/text.h"
#include "output/route/writers.h"
#include "output/route/xml.h"

namespace tidewise {
namespace {

XmlWriter::Attributes gpx_place(const GeographicPoint& place) {
  return {{"lat", latitude_text(place.latitude)}, {"lon", longitude_text(place.longitude)}};
}

void write_gpx_route(XmlWriter& xml, const Route& route, const std::string& notes) {
  xml.begin("rte");
  xml.text("name", route.name);
  xml.text("desc", notes);
  xml.text("src", route.creator);
  for (const RouteWaypoint& waypoint : route.waypoints) {
    xml.begin("rtept", gpx_place(*waypoint.place));
    // The schema's order: time, name, cmt, desc.
    if (waypoint.instant) xml.text("time", utc_text(*waypoint.instant));
    xml.text("name", waypoint.name);
    xml.text("desc", waypoint_note(route, waypoint));
    xml.end();
  }
  xml.end();
}

void write_gpx_track(XmlWriter& xml, const RouteTrack& track) {
  xml.begin("trk");
  xml.text("name", track.name);
  xml.text("desc", outcome_text(track.outcome));
  xml.begin("trkseg");
  for (const RoutePoint& point : track.points) {
    if (point.instant) {
      xml.begin("trkpt", gpx_place(*point.place));
      xml.text("time", utc_text(*point.instant));
      xml.end();
    } else {
      xml.empty("trkpt", gpx_place(*point.place));
    }
  }
  xml.end();
  xml.end();
}

}  // namespace

std::string to_gpx(const Route& route, const FormatOptions&) {
  const std::string notes = all_notes(route);
  XmlWriter xml;
  xml.begin("gpx", {{"version", "1.1"},
                    {"creator", route.creator},
                    {"xmlns", "http://www.topografix.com/GPX/1/1"}});
  xml.begin("metadata");
  xml.text("name", route.name);
  xml.text("desc", notes);
  if (route.start.instant) xml.text("time", utc_text(*route.start.instant));
  xml.end();
  write_gpx_route(xml, route, notes);
  for (const RouteTrack& track : route.tracks) write_gpx_track(xml, track);
  xml.end();
  return xml.take();
}

}  // namespace tidewise
