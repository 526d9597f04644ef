#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/units/text.h"
#include "output/route/antimeridian.h"
#include "output/route/mavlink.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {
namespace {

using PlanJson = nlohmann::ordered_json;

PlanJson latitude_first(const GeographicPoint& place) {
  return PlanJson::array(
      {rounded(place.latitude, degree_decimals), rounded_longitude(place.longitude)});
}

/// A corner of a piece that was cut at ±180°. It keeps its side: autopilots compare plain
/// longitudes, so a piece that ends at 180 must not have corners at −180.
PlanJson fence_corner(const GeographicPoint& corner) {
  return PlanJson::array(
      {rounded(corner.latitude, degree_decimals), rounded(corner.longitude, degree_decimals)});
}

bool holds_point(const RouteObstacle::Ring& ring, const RoutePoint& point) {
  bool inside = false;
  for (std::size_t n = 0; n < ring.corners.size(); ++n) {
    const PlanePoint& a = ring.corners[n];
    const PlanePoint& b = ring.corners[(n + 1) % ring.corners.size()];
    if ((a.y > point.y) == (b.y > point.y)) continue;
    if (a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) > point.x) inside = !inside;
  }
  return inside;
}

/// True if the route is in a hole of the obstacle, which a fence cannot have.
bool has_route_inside(const RouteObstacle& obstacle, const Route& route) {
  return std::any_of(obstacle.holes.begin(), obstacle.holes.end(), [&](const auto& hole) {
    return std::any_of(route.waypoints.begin(), route.waypoints.end(),
                       [&](const RouteWaypoint& to) { return holds_point(hole, to); });
  });
}

/// Fixed obstacles as exclusion fences, and the number of those that cannot be fences.
struct Fences {
  std::vector<std::vector<GeographicPoint>> polygons;
  std::size_t moving = 0;     ///< obstacles that come and go
  std::size_t enclosing = 0;  ///< obstacles with the route in a hole
  std::size_t large = 0;      ///< obstacles with more corners than a vehicle takes
};

Fences fences_of(const Route& route) {
  constexpr std::size_t max_corners = 255;  // ArduPilot stores their number in a byte
  Fences fences;
  for (const RouteObstacle& obstacle : route.obstacles) {
    if (!obstacle.is_standing) {
      ++fences.moving;
      continue;
    }
    if (has_route_inside(obstacle, route)) {
      ++fences.enclosing;
      continue;
    }
    std::vector<GeographicPolygon> pieces = cut_polygon({obstacle.outer.places, {}});
    const bool is_large = std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
      return piece.outer.size() > max_corners;
    });
    if (is_large) {
      ++fences.large;
      continue;
    }
    for (GeographicPolygon& piece : pieces) fences.polygons.push_back(std::move(piece.outer));
  }
  return fences;
}

PlanJson item_json(const MavlinkItem& item, std::size_t number) {
  PlanJson json = {{"type", "SimpleItem"},
                   {"autoContinue", true},
                   {"command", item.command},
                   {"doJumpId", number},
                   {"frame", item.frame}};
  if (item.command == mavlink::waypoint) {
    json["Altitude"] = 0;
    json["AltitudeMode"] = 1;
    json["AMSLAltAboveTerrain"] = nullptr;
    json["params"] = {item.parameters[0],
                      item.parameters[1],
                      item.parameters[2],
                      nullptr,
                      rounded(item.place.latitude, degree_decimals),
                      rounded_longitude(item.place.longitude),
                      0};
  } else {
    json["params"] = {
        item.parameters[0], item.parameters[1], item.parameters[2], item.parameters[3], 0, 0, 0};
  }
  return json;
}

}  // namespace

std::string to_qgc_plan(const Route& route, const FormatOptions&) {
  constexpr int ardupilot = 3;
  constexpr int surface_boat = 11;
  PlanJson polygons = PlanJson::array();
  for (const std::vector<GeographicPoint>& fence : fences_of(route).polygons) {
    PlanJson corners = PlanJson::array();
    for (const GeographicPoint& corner : fence) corners.push_back(fence_corner(corner));
    polygons.push_back({{"inclusion", false}, {"polygon", corners}, {"version", 1}});
  }
  PlanJson items = PlanJson::array();
  for (const MavlinkItem& item : mavlink_items(route)) {
    items.push_back(item_json(item, items.size() + 1));
  }
  PlanJson home = latitude_first(*route.waypoints.front().place);
  home.push_back(0);
  const double speed = rounded(route.vehicle_speed, 3);
  const PlanJson plan = {
      {"fileType", "Plan"},
      {"version", 1},
      {"groundStation", ascii_line(route.creator)},
      {"notes", route_notes(route)},
      {"geoFence", {{"circles", PlanJson::array()}, {"polygons", polygons}, {"version", 2}}},
      {"rallyPoints", {{"points", PlanJson::array()}, {"version", 2}}},
      {"mission",
       {{"version", 2},
        {"firmwareType", ardupilot},
        {"vehicleType", surface_boat},
        {"cruiseSpeed", speed},
        {"hoverSpeed", speed},
        {"globalPlanAltitudeMode", 1},
        {"plannedHomePosition", home},
        {"items", items}}}};
  return plan.dump(1, ' ', true) + '\n';
}

std::vector<std::string> qgc_plan_warnings(const Route& route, const FormatOptions&) {
  const Fences fences = fences_of(route);
  std::vector<std::string> warnings;
  const auto warn = [&](std::size_t count, const std::string& why) {
    if (count > 0) {
      warnings.push_back(
          fmt::format("qgc-plan: {} without a fence: {}", counted(count, "obstacle"), why));
    }
  };
  warn(fences.moving, "they come and go, and fences stand still");
  warn(fences.large, "they have more than 255 corners, which is all that an autopilot takes");
  warn(fences.enclosing, "the route lies inside of them, and fences have no holes");
  for (std::string& warning : ardupilot_warnings(route, route_format("qgc-plan"))) {
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace tidewise
