#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {

std::string to_seaglider(const Route& route, const FormatOptions&) {
  std::string text = commented_notes(route, "/");
  for (std::size_t n = 1; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& to = route.waypoints[n];
    const RouteWaypoint& next = route.waypoints[std::min(n + 1, route.waypoints.size() - 1)];
    text +=
        fmt::format("{} lat={} lon={} radius={} goto={}\n", to.name,
                    latitude_minutes(to.place->latitude), longitude_minutes(to.place->longitude),
                    fixed(std::round(radius_of(route, n)), 0), next.name);
  }
  return text;
}

}  // namespace tidewise
