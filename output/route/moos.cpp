#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/units/depths.h"
#include "output/error/codes.h"
#include "output/route/moos_geodesy.h"
#include "output/route/text.h"
#include "output/route/utm.h"
#include "output/route/writers.h"

namespace tidewise {
namespace {

/// The origin as rounded in the file, so that positions fit the number that the vehicle reads.
GeographicPoint written_origin(const Route& route, const FormatOptions& options) {
  const GeographicPoint origin = options.moos_origin
                                     ? *options.moos_origin
                                     : route.origin.value_or(*route.waypoints.front().place);
  return {rounded_longitude(origin.longitude), rounded(origin.latitude, degree_decimals)};
}

/// The lines of the file that name the origin and the geodesy.
std::string origin_lines(const GeographicPoint& origin, MoosGeodesy geodesy) {
  std::string text = fmt::format(
      "// Metres east and north of this origin, to be in the mission's .moos file:\n"
      "//   LatOrigin  = {}\n//   LongOrigin = {}\n",
      latitude_text(origin.latitude), longitude_text(origin.longitude));
  if (geodesy == MoosGeodesy::utm) {
    return text + fmt::format("// In UTM, zone {} (LatLong2LocalUTM), the default of MOOS-IvP.\n",
                              utm_zone(origin.longitude));
  }
  return text + "// On the local grid (LatLong2LocalGrid) of a MOOS-IvP built without UTM.\n";
}

/// Parameters of a behavior: its speed, capture radius and dive.
struct LegParameters {
  std::string speed;
  std::string radius;
  std::string dive;
  bool operator==(const LegParameters&) const = default;
};

/// Errors: InputError for a dive of several ranges, which the two variables cannot hold. Without
/// the variables, the depths of the previous stretch would stay in force.
std::string dive_lines(const EnvironmentProfile& dive) {
  const std::vector<Depths> ranges = parse_depth_ranges(dive.depths);
  if (ranges.size() > 1) {
    throw input_error(errors::moos_profile_ranges, ascii_line(dive.name),
                      describe_ranges(ranges, " to "));
  }
  std::string text = fmt::format("  // {}\n", dive_text(dive));
  if (const auto depths = parse_depths(dive.depths)) {
    text += fmt::format(
        "  activeflag     = TIDEWISE_DIVE_FROM = {}\n  activeflag     = TIDEWISE_DIVE_TO = {}\n",
        depths->from, depths->to);
  }
  return text;
}

/// Parameters of the leg to waypoint n.
LegParameters leg_parameters(const Route& route, std::size_t n) {
  const RouteWaypoint& from = route.waypoints[n - 1];
  return {fixed(from.speed, 3), fixed(radius_of(route, n), 1),
          from.dive ? dive_lines(*from.dive) : ""};
}

}  // namespace

std::string to_moos(const Route& route, const FormatOptions& options) {
  const GeographicPoint origin = written_origin(route, options);
  require_moos_origin(options.moos_geodesy, origin);
  // BHV_Waypoint has one speed and one radius: each stretch of legs with the same is a behavior.
  std::vector<std::size_t> stretch_ends;  // index of a stretch's last waypoint
  const std::size_t last = route.waypoints.size() - 1;
  for (std::size_t n = 1; n <= last; ++n) {
    const bool continues = n < last && leg_parameters(route, n) == leg_parameters(route, n + 1);
    if (!continues) stretch_ends.push_back(n);
  }

  std::string text = commented_notes(route, "//");
  text += origin_lines(origin, options.moos_geodesy);
  if (stretch_ends.size() > 1) text += "\ninitialize  TIDEWISE_STRETCH = 1\n";
  std::size_t first = 1;
  for (std::size_t stretch = 1; stretch <= stretch_ends.size(); ++stretch) {
    const std::size_t end = stretch_ends[stretch - 1];
    const bool is_last = stretch == stretch_ends.size();
    std::string points;
    for (std::size_t n = first; n <= end; ++n) {
      const RouteWaypoint& to = route.waypoints[n];
      require_near_moos_origin(options.moos_geodesy, origin, to.name, *to.place);
      const PlanePoint at = moos_local(options.moos_geodesy, origin, *to.place);
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
    const auto [speed, radius, dive] = leg_parameters(route, first);
    text += dive;
    text += fmt::format("  speed          = {}\n", speed);
    text += fmt::format("  capture_radius = {}\n  slip_radius    = {}\n", radius, radius);
    text += fmt::format("  repeat         = 0\n  points         = {}\n}}\n", points);
    first = end + 1;
  }
  return text;
}

std::vector<std::string> moos_warnings(const Route& route, const FormatOptions& options) {
  constexpr double max_straight = 150e3;  // [m]
  const GeographicPoint origin = written_origin(route, options);
  double farthest = 0;
  for (const RouteWaypoint& waypoint : route.waypoints) {
    const PlanePoint at = moos_local_grid(origin, *waypoint.place);
    farthest = std::max(farthest, std::hypot(at.x, at.y));
  }
  std::vector<std::string> warnings;
  if (options.moos_geodesy == MoosGeodesy::utm) {
    const std::string doubt = doubt_of_moos_zone(origin, route);
    if (!doubt.empty()) warnings.push_back("moos: " + doubt);
  } else if (farthest > max_straight) {
    warnings.push_back(
        fmt::format("moos: a waypoint is {} km from the origin; MOOS's local grid turns and "
                    "shrinks beyond 150 km, so that courses between waypoints are not straight",
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
