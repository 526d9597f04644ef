#include "output/route/moos_geodesy.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "env/units/angle.h"
#include "output/error/codes.h"
#include "output/route/text.h"
#include "output/route/utm.h"

namespace tidewise {
namespace {

// UTM has zones between these latitudes [degrees].
constexpr double southernmost = -80;
constexpr double northernmost = 84;
/// Limit of the distance from the central meridian [degrees].
constexpr double max_from_meridian = 30;

bool is_within(double value, double from, double to) { return value >= from && value < to; }

/// Zones that the standard widens at the cost of a neighbour, which only some versions of
/// MOOSGeodesy implement: zone 32 off Norway, zones 31, 33, 35 and 37 around Svalbard.
bool is_in_irregular_zone(const GeographicPoint& origin) {
  const double longitude = origin.longitude;
  if (is_within(origin.latitude, 56, 64)) return is_within(longitude, 3, 6);
  if (!is_within(origin.latitude, 72, 84)) return false;
  return is_within(longitude, 6, 12) || is_within(longitude, 18, 24) ||
         is_within(longitude, 30, 36);
}

}  // namespace

PlanePoint moos_local_utm(const GeographicPoint& origin, const GeographicPoint& point) {
  const int zone = utm_zone(origin.longitude);
  const PlanePoint from = utm_plane(zone, origin);
  const PlanePoint to = utm_plane(zone, point);
  return {to.x - from.x, to.y - from.y};
}

PlanePoint moos_local_grid(const GeographicPoint& origin, const GeographicPoint& point) {
  constexpr double a = 6378137;  // [m]
  constexpr double b = 6356752;  // [m]
  // b √(1+τ) / √(b²/a² + τ) with τ = tan²φ, without the tangent, which is infinite at a pole.
  const double cosine = std::cos(point.latitude * radians_per_degree);
  const double sine = std::sin(point.latitude * radians_per_degree);
  const double radius = b / std::sqrt((b * b) / (a * a) * cosine * cosine + sine * sine);
  return {radius * std::sin((point.longitude - origin.longitude) * radians_per_degree) * cosine,
          radius * std::sin((point.latitude - origin.latitude) * radians_per_degree)};
}

PlanePoint moos_local(MoosGeodesy geodesy, const GeographicPoint& origin,
                      const GeographicPoint& point) {
  return geodesy == MoosGeodesy::utm ? moos_local_utm(origin, point)
                                     : moos_local_grid(origin, point);
}

void require_moos_origin(MoosGeodesy geodesy, const GeographicPoint& origin) {
  if (geodesy == MoosGeodesy::grid) return;
  if (origin.latitude >= southernmost && origin.latitude <= northernmost) return;
  throw input_error(errors::moos_origin_outside_utm, latitude_text(origin.latitude),
                    longitude_text(origin.longitude));
}

void require_near_moos_origin(MoosGeodesy geodesy, const GeographicPoint& origin,
                              const std::string& name, const GeographicPoint& point) {
  if (geodesy == MoosGeodesy::utm) {
    const int zone = utm_zone(origin.longitude);
    const double from_meridian =
        std::abs(wrapped_longitude(point.longitude - utm_central_meridian(zone)));
    if (from_meridian < max_from_meridian) return;
    throw input_error(errors::moos_far_from_meridian, name, fixed(from_meridian, 1), zone,
                      latitude_text(origin.latitude), longitude_text(origin.longitude));
  }
  // The grid repeats itself a quarter of a turn from its origin.
  const double turn = wrapped_longitude(point.longitude - origin.longitude);
  if (std::abs(turn) < 90 && std::abs(point.latitude - origin.latitude) < 90) return;
  throw input_error(errors::moos_far_from_origin, name, latitude_text(origin.latitude),
                    longitude_text(origin.longitude));
}

std::string doubt_of_moos_zone(const GeographicPoint& origin, const Route& route) {
  const int zone = utm_zone(origin.longitude);
  constexpr int last_zone = 60;
  if (is_in_irregular_zone(origin) || zone == last_zone) {
    return fmt::format(
        "the points are in UTM zone {}, in which versions of MOOSGeodesy do not agree for an "
        "origin at {}, {}: some take another zone or none; move the origin with --moos-origin",
        zone, latitude_text(origin.latitude), longitude_text(origin.longitude));
  }
  for (const RouteWaypoint& waypoint : route.waypoints) {
    const int waypoint_zone = utm_zone(waypoint.place->longitude);
    if (waypoint_zone == zone) continue;
    return fmt::format(
        "{} lies in UTM zone {} and the origin in zone {}: old versions of MOOSGeodesy take each "
        "point in its own zone, hundreds of kilometres off; use one that keeps the zone of the "
        "origin",
        waypoint.name, waypoint_zone, zone);
  }
  return {};
}

}  // namespace tidewise
