#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/units/angle.h"
#include "env/units/depths.h"
#include "output/route/moos_geodesy.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {
namespace {

/// The origin as the file writes it: positions are of that number, not of one that was rounded.
GeographicPoint written_origin(const Route& route, const FormatOptions& options) {
  const GeographicPoint origin = options.moos_origin
                                     ? *options.moos_origin
                                     : route.origin.value_or(*route.waypoints.front().place);
  return {rounded_longitude(origin.longitude), rounded(origin.latitude, degree_decimals)};
}

/// The plane comes back upon itself a quarter of a turn from its origin.
void require_near(const GeographicPoint& origin, const RouteWaypoint& waypoint) {
  const double turn = wrapped_longitude(waypoint.place->longitude - origin.longitude);
  if (std::abs(turn) < 90 && std::abs(waypoint.place->latitude - origin.latitude) < 90) return;
  throw InputError(
      fmt::format("moos: {} is a quarter of the globe or more from the origin {}, {}, "
                  "where MOOS has no plane; give an origin near the route",
                  waypoint.name, latitude_text(origin.latitude), longitude_text(origin.longitude)));
}

/// Of a behavior, as it is written: its speed, how near its points are reached, and what it dives.
struct Sailing {
  std::string speed;
  std::string radius;
  std::string dive;
  bool operator==(const Sailing&) const = default;
};

std::string dive_lines(const EnvironmentProfile& dive) {
  std::string text = fmt::format("  // {}\n", dive_text(dive));
  if (const auto depths = parse_depths(dive.depths)) {
    text += fmt::format(
        "  activeflag     = TIDEWISE_DIVE_FROM = {}\n  activeflag     = TIDEWISE_DIVE_TO = {}\n",
        depths->from, depths->to);
  }
  return text;
}

/// Of the leg to waypoint n.
Sailing sailing_to(const Route& route, std::size_t n) {
  const RouteWaypoint& from = route.waypoints[n - 1];
  return {fixed(from.speed, 3), fixed(radius_of(route, n), 1),
          from.dive ? dive_lines(*from.dive) : ""};
}

}  // namespace

PlanePoint moos_plane(const GeographicPoint& origin, const GeographicPoint& point) {
  constexpr double a = 6378137;  // [m]
  constexpr double b = 6356752;  // [m]
  // b √(1+τ) / √(b²/a² + τ) with τ = tan²φ, without the tangent, which a pole has not.
  const double cosine = std::cos(point.latitude * radians_per_degree);
  const double sine = std::sin(point.latitude * radians_per_degree);
  const double radius = b / std::sqrt((b * b) / (a * a) * cosine * cosine + sine * sine);
  return {radius * std::sin((point.longitude - origin.longitude) * radians_per_degree) * cosine,
          radius * std::sin((point.latitude - origin.latitude) * radians_per_degree)};
}

std::string to_moos(const Route& route, const FormatOptions& options) {
  const GeographicPoint origin = written_origin(route, options);
  // BHV_Waypoint has one speed and one radius: each stretch of legs with the same is a behavior.
  std::vector<std::size_t> stretch_ends;  // index of a stretch's last waypoint
  const std::size_t last = route.waypoints.size() - 1;
  for (std::size_t n = 1; n <= last; ++n) {
    const bool goes_on = n < last && sailing_to(route, n) == sailing_to(route, n + 1);
    if (!goes_on) stretch_ends.push_back(n);
  }

  std::string text = commented_notes(route, "//");
  text += fmt::format(
      "// Metres east and north of this origin, to be in the mission's .moos file:\n"
      "//   LatOrigin  = {}\n//   LongOrigin = {}\n",
      latitude_text(origin.latitude), longitude_text(origin.longitude));
  if (stretch_ends.size() > 1) text += "\ninitialize  TIDEWISE_STRETCH = 1\n";
  std::size_t first = 1;
  for (std::size_t stretch = 1; stretch <= stretch_ends.size(); ++stretch) {
    const std::size_t end = stretch_ends[stretch - 1];
    const bool is_last = stretch == stretch_ends.size();
    std::string points;
    for (std::size_t n = first; n <= end; ++n) {
      require_near(origin, route.waypoints[n]);
      const PlanePoint at = moos_plane(origin, *route.waypoints[n].place);
      points += fmt::format("{}{},{}", points.empty() ? "" : ":", fixed(at.x, 2), fixed(at.y, 2));
    }
    text += "\nBehavior = BHV_Waypoint\n{\n";
    text += stretch_ends.size() > 1 ? fmt::format("  name           = tidewise_{}\n", stretch)
                                    : "  name           = tidewise\n";
    text += "  pwt            = 100\n  condition      = DEPLOY = true\n";
    if (stretch_ends.size() > 1) {
      text += fmt::format("  condition      = TIDEWISE_STRETCH = {}\n", stretch);
    }
    text += is_last ? "  endflag        = TIDEWISE_ARRIVED = true\n"
                    : fmt::format("  endflag        = TIDEWISE_STRETCH = {}\n", stretch + 1);
    text += stretch_ends.size() > 1
                ? fmt::format("  updates        = TIDEWISE_UPDATE_{}\n", stretch)
                : "  updates        = TIDEWISE_UPDATE\n";
    const auto [speed, radius, dive] = sailing_to(route, first);
    text += dive;
    text += fmt::format("  speed          = {}\n", speed);
    text += fmt::format("  capture_radius = {}\n  slip_radius    = {}\n", radius, radius);
    text += fmt::format("  repeat         = 0\n  points         = {}\n}}\n", points);
    first = end + 1;
  }
  return text;
}

std::vector<std::string> moos_warnings(const Route& route, const FormatOptions& options) {
  constexpr double good_to = 150e3;  // [m]
  const GeographicPoint origin = written_origin(route, options);
  double farthest = 0;
  for (const RouteWaypoint& waypoint : route.waypoints) {
    const PlanePoint at = moos_plane(origin, *waypoint.place);
    farthest = std::max(farthest, std::hypot(at.x, at.y));
  }
  std::vector<std::string> warnings;
  if (farthest > good_to) {
    warnings.push_back(
        fmt::format("moos: a waypoint is {} km from the origin; MOOS's plane turns and shrinks "
                    "beyond 150 km, so that courses between waypoints are not straight",
                    fixed(farthest / 1000, 0)));
  }
  if (chooses_dives(route)) {
    warnings.push_back(
        "moos: BHV_Waypoint does not dive: between what depths a stretch does is posted to "
        "TIDEWISE_DIVE_FROM and TIDEWISE_DIVE_TO [m], for what dives on the vehicle");
  }
  return warnings;
}

}  // namespace tidewise
