#include <fmt/format.h>

#include <cmath>

#include "env/units/angle.h"
#include "env/units/depths.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {
namespace {

std::string csv_number(const std::optional<double>& value, int decimals) {
  return value && std::isfinite(*value) ? fixed(*value, decimals) : "";
}

std::string csv_instant(const std::optional<double>& instant) {
  return instant ? utc_text(*instant) : "";
}

/// Shortest text of the same number: lengths and times without units may be of any size.
std::string csv_plain(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

/// Radius within which the waypoint counts as reached; empty for the start.
std::string radius_column(const Route& route, std::size_t n) {
  if (n == 0) return "";
  const bool is_target = n + 1 == route.waypoints.size();
  return csv_plain(is_target ? route.arrival_radius : route.capture_radius);
}

/// Columns of the leg to the next waypoint: its profile and depths, if the vehicle chooses among
/// several. The columns of one range are empty for a dive of several ranges, which are in the last
/// column.
std::string dive_columns(const Route& route, const RouteWaypoint& waypoint) {
  if (!chooses_dives(route)) return "\n";
  if (!waypoint.dive) return ",,,,\n";
  const auto depths = parse_depths(waypoint.dive->depths);
  std::string ranges;
  for (const Depths& range : parse_depth_ranges(waypoint.dive->depths)) {
    ranges += fmt::format("{}{}:{}", ranges.empty() ? "" : ";", range.from, range.to);
  }
  return fmt::format(",{},{},{},{}\n", portable_name(waypoint.dive->name),
                     depths ? csv_plain(depths->from) : "", depths ? csv_plain(depths->to) : "",
                     ranges);
}

}  // namespace

std::string to_csv(const Route& route, const FormatOptions& options) {
  const bool has_units = route.units == Units::metric;
  const char* dive_header =
      chooses_dives(route) ? ",profile,depth_from_m,depth_to_m,depth_ranges_m\n" : "\n";
  std::string text;
  if (options.frame == RouteFrame::plane) {
    text = has_units ? "name,x_m,y_m,t_s,course_deg_from_x,speed_m_s,capture_radius_m"
                     : "name,x,y,t,course_deg_from_x,speed,capture_radius";
    text += dive_header;
    for (std::size_t n = 0; n < route.waypoints.size(); ++n) {
      const RouteWaypoint& waypoint = route.waypoints[n];
      text += fmt::format("{},{},{},{},", waypoint.name, csv_plain(waypoint.x),
                          csv_plain(waypoint.y), csv_plain(waypoint.time));
      if (n + 1 < route.waypoints.size()) {
        const RouteWaypoint& next = route.waypoints[n + 1];
        const double course =
            std::atan2(next.y - waypoint.y, next.x - waypoint.x) * degrees_per_radian;
        text += fixed(course < 0 ? course + 360 : course, 2);
      }
      text += fmt::format(",{},{}{}", csv_number(waypoint.speed, 4), radius_column(route, n),
                          dive_columns(route, waypoint));
    }
    return text;
  }
  text = has_units ? "name,lat,lon,eta_utc,course_deg_true,speed_m_s,eta_p05_utc,eta_p95_utc,"
                     "reached_share,t_s,capture_radius_m"
                   : "name,lat,lon,eta_utc,course_deg_true,speed,eta_p05_utc,eta_p95_utc,"
                     "reached_share,t,capture_radius";
  text += dive_header;
  for (std::size_t n = 0; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& waypoint = route.waypoints[n];
    text +=
        fmt::format("{},{},{},{},{},{},", waypoint.name, latitude_text(waypoint.place->latitude),
                    longitude_text(waypoint.place->longitude), csv_instant(waypoint.instant),
                    csv_number(waypoint.bearing, 2), csv_number(waypoint.speed, 4));
    if (waypoint.window) {
      text +=
          fmt::format("{},{},{}", csv_instant(waypoint.window->p05_instant),
                      csv_instant(waypoint.window->p95_instant), fixed(waypoint.window->share, 4));
    } else {
      text += ",,";
    }
    text += fmt::format(",{},{}{}", csv_plain(waypoint.time), radius_column(route, n),
                        dive_columns(route, waypoint));
  }
  return text;
}

}  // namespace tidewise
