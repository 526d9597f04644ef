#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "env/units/depths.h"
#include "output/json_number.h"
#include "output/route/antimeridian.h"
#include "output/route/geojson_polygons.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {
namespace {

using GeoJson = nlohmann::ordered_json;

/// The number, rounded; null if it is absent or not finite.
GeoJson geojson_number(const std::optional<double>& value, int decimals) {
  if (!value) return nullptr;
  return json_number(rounded(*value, decimals));
}

GeoJson instant_json(const std::optional<double>& instant) {
  return instant ? GeoJson(utc_text(*instant)) : GeoJson(nullptr);
}

/// A coordinate pair of a place that is in [−180, 180) already, or on a cut, where 180 stays 180.
GeoJson cut_pair(const GeographicPoint& place) {
  return GeoJson::array(
      {rounded(place.longitude, degree_decimals), rounded(place.latitude, degree_decimals)});
}

GeoJson pair(const GeographicPoint& place) {
  return cut_pair({rounded_longitude(place.longitude), place.latitude});
}

GeoJson position(const RoutePoint& point, RouteFrame frame) {
  return frame == RouteFrame::plane ? GeoJson::array({point.x, point.y}) : pair(*point.place);
}

GeoJson feature(GeoJson geometry, GeoJson properties) {
  return {{"type", "Feature"},
          {"properties", std::move(properties)},
          {"geometry", std::move(geometry)}};
}

/// Times and dates of a line's points, by piece if it is cut.
struct PieceTimes {
  GeoJson times = GeoJson::array();         ///< the environment's
  GeoJson instants = GeoJson::array();      ///< RFC 3339
  GeoJson milliseconds = GeoJson::array();  ///< since 1970

  void add(double time, const std::optional<double>& instant) {
    times.push_back(rounded(time, 3));
    if (!instant) return;
    instants.push_back(utc_text(*instant));
    milliseconds.push_back(std::llround(*instant) * 1000);
  }
  void add(const PieceTimes& piece) {
    times.push_back(piece.times);
    if (piece.instants.empty()) return;
    instants.push_back(piece.instants);
    milliseconds.push_back(piece.milliseconds);
  }
  void put_into(GeoJson& properties) const {
    properties["time"] = times;
    if (instants.empty()) return;
    properties["datetimes"] = instants;
    properties["coordinateProperties"] = {{"times", milliseconds}};
  }
};

/// A LineString, or a MultiLineString if ±180° cuts it; for one point a Point. Without times if a
/// point has none.
template <class Points>
GeoJson line_feature(const Points& points, RouteFrame frame, GeoJson properties) {
  std::vector<std::vector<CutPoint>> pieces(1);
  if (frame == RouteFrame::geographic) {
    std::vector<GeographicPoint> places;
    places.reserve(points.size());
    for (const RoutePoint& point : points) places.push_back(*point.place);
    pieces = cut_line(places);
  } else {
    for (std::size_t n = 0; n < points.size(); ++n) {
      pieces[0].push_back({{points[n].x, points[n].y}, static_cast<double>(n)});
    }
  }
  GeoJson lines = GeoJson::array();
  PieceTimes all_times;
  for (const std::vector<CutPoint>& piece : pieces) {
    GeoJson line = GeoJson::array();
    PieceTimes times;
    for (const CutPoint& cut : piece) {
      line.push_back(frame == RouteFrame::plane
                         ? GeoJson::array({cut.place.longitude, cut.place.latitude})
                         : cut_pair(cut.place));
      const auto index = static_cast<std::size_t>(cut.position);
      const double share = cut.position - static_cast<double>(index);
      const RoutePoint& from = points[index];
      const RoutePoint& to = points[share > 0 ? index + 1 : index];
      const auto between = [&](double a, double b) { return a + share * (b - a); };
      std::optional<double> instant = from.instant;
      if (instant && to.instant) instant = between(*instant, *to.instant);
      times.add(between(from.time, to.time), instant);
    }
    lines.push_back(std::move(line));
    all_times.add(times);
    if (pieces.size() == 1) all_times = times;
  }
  const bool has_times = std::all_of(points.begin(), points.end(), [](const RoutePoint& point) {
    return std::isfinite(point.time);
  });
  if (has_times) all_times.put_into(properties);
  if (pieces.size() > 1) {
    return feature({{"type", "MultiLineString"}, {"coordinates", lines}}, std::move(properties));
  }
  if (lines[0].size() == 1) {
    return feature({{"type", "Point"}, {"coordinates", lines[0][0]}}, std::move(properties));
  }
  return feature({{"type", "LineString"}, {"coordinates", lines[0]}}, std::move(properties));
}

GeoJson geojson_spread(const Spread& spread) {
  return {{"mean", geojson_number(spread.mean, 3)},
          {"p05", geojson_number(spread.p05, 3)},
          {"p50", geojson_number(spread.p50, 3)},
          {"p95", geojson_number(spread.p95, 3)}};
}

GeoJson flights_json(const RolloutStatistics& flights) {
  return {{"flights", flights.trajectories},
          {"arrival_rate", geojson_number(flights.arrival_rate, 6)},
          {"time", geojson_spread(flights.time)},
          {"energy", geojson_spread(flights.energy)}};
}

GeoJson route_feature(const Route& route, RouteFrame frame) {
  GeoJson properties = {{"kind", "route"},
                        {"name", route.name},
                        {"creator", route.creator},
                        {"notes", route_notes(route)},
                        {"capture_radius", geojson_number(route.capture_radius, 3)},
                        {"arrival_radius", geojson_number(route.arrival_radius, 3)},
                        {"vehicle_speed", geojson_number(route.vehicle_speed, 6)}};
  if (route.cost) {
    properties["worth"] = {{"policy", flights_json(route.cost->policy)},
                           {"waypoints", flights_json(route.cost->waypoints)}};
  }
  return line_feature(route.waypoints, frame, std::move(properties));
}

GeoJson waypoint_feature(const RouteWaypoint& waypoint, RouteFrame frame) {
  GeoJson properties = {{"kind", "waypoint"},
                        {"name", waypoint.name},
                        {"time", geojson_number(waypoint.time, 3)},
                        {"eta_utc", instant_json(waypoint.instant)},
                        {"speed", geojson_number(waypoint.speed, 6)},
                        {"speed_over_ground", geojson_number(waypoint.speed_over_ground, 6)},
                        {"course_deg_true", geojson_number(waypoint.bearing, 2)}};
  if (waypoint.dive) {
    properties["profile"] = waypoint.dive->name;
    const auto depths = parse_depths(waypoint.dive->depths);
    properties["depth_from"] = depths ? GeoJson(depths->from) : nullptr;
    properties["depth_to"] = depths ? GeoJson(depths->to) : nullptr;
    properties["depth_ranges"] = GeoJson::array();
    for (const Depths& range : parse_depth_ranges(waypoint.dive->depths)) {
      properties["depth_ranges"].push_back({range.from, range.to});
    }
  }
  if (waypoint.window) {
    properties["time_p05"] = geojson_number(waypoint.window->p05, 3);
    properties["time_p95"] = geojson_number(waypoint.window->p95, 3);
    properties["eta_p05_utc"] = instant_json(waypoint.window->p05_instant);
    properties["eta_p95_utc"] = instant_json(waypoint.window->p95_instant);
    properties["reached_share"] = geojson_number(waypoint.window->share, 6);
  }
  return feature({{"type", "Point"}, {"coordinates", position(waypoint, frame)}},
                 std::move(properties));
}

GeoJson track_feature(const RouteTrack& track, RouteFrame frame) {
  GeoJson properties = {{"kind", "flight"},
                        {"name", track.name},
                        {"realization", track.realization ? GeoJson(*track.realization) : nullptr},
                        {"outcome", outcome_text(track.outcome)}};
  if (!track.dives.empty()) properties["profiles"] = track.dives;
  return line_feature(track.points, frame, std::move(properties));
}

/// The feature of an obstacle; null if it has no area.
GeoJson obstacle_feature(const RouteObstacle& obstacle, RouteFrame frame) {
  const auto corners = [&](const RouteObstacle::Ring& ring) {
    if (frame == RouteFrame::geographic) return ring.places;
    std::vector<GeographicPoint> plane;
    for (const PlanePoint& corner : ring.corners) plane.push_back({corner.x, corner.y});
    return plane;
  };
  GeographicPolygon polygon{corners(obstacle.outer), {}};
  for (const RouteObstacle::Ring& hole : obstacle.holes) polygon.holes.push_back(corners(hole));
  GeoJson polygons = geojson_polygons(polygon, frame);
  if (polygons.empty()) return nullptr;
  GeoJson properties = {{"kind", "obstacle"}, {"standing", obstacle.is_standing}};
  if (!obstacle.is_standing) {
    properties["from_time"] = geojson_number(obstacle.from, 3);
    properties["to_time"] = geojson_number(obstacle.to, 3);
    properties["from_utc"] = instant_json(obstacle.from_instant);
    properties["to_utc"] = instant_json(obstacle.to_instant);
  }
  if (polygons.size() == 1) {
    return feature({{"type", "Polygon"}, {"coordinates", polygons[0]}}, std::move(properties));
  }
  return feature({{"type", "MultiPolygon"}, {"coordinates", polygons}}, std::move(properties));
}

}  // namespace

std::string to_geojson(const Route& route, const FormatOptions& options) {
  const auto text_of = [](const GeoJson& json) {
    return json.dump(-1, ' ', true, GeoJson::error_handler_t::replace);
  };
  std::string text = "{\"type\":\"FeatureCollection\",\n\"mission\":" + text_of(route.mission) +
                     ",\n\"time_units\":" + text_of(route.time_units);
  if (options.frame == RouteFrame::plane) {
    text += ",\n\"coordinates_are\":";
    text += route.units == Units::metric ? "\"x and y of the environment's plane [m]\""
                                         : "\"x and y of the environment's plane\"";
  }
  text += ",\n\"features\":[\n";
  // One feature per line, for readers and for tools that compare texts.
  text += text_of(route_feature(route, options.frame));
  const auto add = [&](const GeoJson& json) {
    if (!json.is_null()) text += ",\n" + text_of(json);
  };
  for (const RouteWaypoint& waypoint : route.waypoints) {
    add(waypoint_feature(waypoint, options.frame));
  }
  for (const RouteTrack& track : route.tracks) add(track_feature(track, options.frame));
  for (const RouteObstacle& obstacle : route.obstacles) {
    add(obstacle_feature(obstacle, options.frame));
  }
  return text + "\n]}\n";
}

}  // namespace tidewise
