#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "output/error/codes.h"
#include "output/route/text.h"
#include "output/route/writers.h"
#include "output/route/xml.h"

namespace tidewise {
namespace {

constexpr std::size_t max_bytes = 400 * 1024;

std::string knots(double metres_per_second) {
  return fixed(metres_per_second * knots_per_metre_per_second, 3);
}

/// Maximum distance from a leg [nautical miles]: the capture radius, within the range that the
/// format allows, [0, 10).
std::string cross_track_distance(const Route& route) {
  return fixed(std::clamp(route.capture_radius / metres_per_nautical_mile, 0.01, 9.99), 2);
}

void write_waypoints(XmlWriter& xml, const Route& route) {
  const std::string cross_track = cross_track_distance(route);
  xml.begin("waypoints");
  for (std::size_t n = 0; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& waypoint = route.waypoints[n];
    xml.begin("waypoint",
              {{"id", fmt::format("{}", n + 1)}, {"revision", "1"}, {"name", waypoint.name}});
    xml.empty("position", {{"lat", latitude_text(waypoint.place->latitude)},
                           {"lon", longitude_text(waypoint.place->longitude)}});
    // An RTZ leg leads to its waypoint. Straight lines of the environment's plane are nearer to
    // great circles than to rhumb lines.
    if (n > 0) {
      xml.empty("leg", {{"starboardXTD", cross_track},
                        {"portsideXTD", cross_track},
                        {"geometryType", "Orthodrome"}});
    }
    xml.end();
  }
  xml.end();
}

/// Adds a time window, unless it has zero length.
void add_window(XmlWriter::Attributes& element, const char* name, double seconds) {
  if (std::round(seconds) >= 1) element.emplace_back(name, duration_text(seconds));
}

/// Writes the schedule, if times have dates.
void write_schedule(XmlWriter& xml, const Route& route) {
  if (!route.start.instant) return;
  xml.begin("schedules");
  xml.begin("schedule", {{"id", "1"}, {"name", "Tidewise"}});
  xml.begin("calculated");
  for (std::size_t n = 0; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& waypoint = route.waypoints[n];
    XmlWriter::Attributes element{{"waypointId", fmt::format("{}", n + 1)}};
    if (n == 0) {
      element.emplace_back("etd", utc_text(*route.start.instant));
    } else {
      if (waypoint.instant) element.emplace_back("eta", utc_text(*waypoint.instant));
      if (waypoint.instant && waypoint.window && waypoint.window->p05_instant &&
          waypoint.window->p95_instant) {
        add_window(element, "etaWindowBefore", *waypoint.instant - *waypoint.window->p05_instant);
        add_window(element, "etaWindowAfter", *waypoint.window->p95_instant - *waypoint.instant);
      }
      const RouteWaypoint& from = route.waypoints[n - 1];
      const double speed = from.speed_over_ground.value_or(from.speed);
      if (std::isfinite(speed)) element.emplace_back("speed", knots(speed));
    }
    std::string note = waypoint_note(route, waypoint);
    if (n == 0) note += ". " + all_notes(route);  // for readers without extensions
    element.emplace_back("Note", std::move(note));
    xml.empty("scheduleElement", element);
  }
  xml.end();
  xml.end();
  xml.end();
}

void write_extension(XmlWriter& xml, const Route& route) {
  xml.begin("extensions");
  xml.begin("extension", {{"manufacturer", "Tidewise"}, {"name", "notes"}, {"version", "1"}});
  for (const std::string& note : route_notes(route))
    xml.text("note", note, {{"xmlns", "urn:tidewise:route"}});
  xml.end();
  xml.end();
}

}  // namespace

std::string to_rtz(const Route& route, const FormatOptions& options) {
  XmlWriter xml;
  xml.begin("route", {{"xmlns", "http://www.cirm.org/RTZ/1/2"}, {"version", "1.2"}});
  XmlWriter::Attributes info{
      {"routeName", options.file_name.empty() ? portable_name(route.name) : options.file_name},
      {"routeAuthor", ascii_line(route.creator)}};
  if (route.start.instant) info.emplace_back("validityPeriodStart", utc_text(*route.start.instant));
  info.emplace_back("vesselSpeedMax", knots(route.vehicle_speed));
  xml.empty("routeInfo", info);
  write_waypoints(xml, route);
  write_schedule(xml, route);
  write_extension(xml, route);
  xml.end();
  std::string text = xml.take();
  if (text.size() > max_bytes) {
    throw input_error(errors::rtz_too_large, route.waypoints.size(), text.size() / 1024,
                      route.waypoints.size() * max_bytes * 9 / 10 / text.size());
  }
  return text;
}

}  // namespace tidewise
