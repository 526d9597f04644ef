#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/units/depths.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {

std::string to_seaglider(const Route& route, const FormatOptions&) {
  std::string text = commented_notes(route, "/");
  for (std::size_t n = 1; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& to = route.waypoints[n];
    const RouteWaypoint& next = route.waypoints[std::min(n + 1, route.waypoints.size() - 1)];
    const auto& dive = route.waypoints[n - 1].dive;
    if (dive) {
      text += fmt::format("/ to {}: {}", to.name, dive_text(*dive));
      const auto depths = parse_depths(dive->depths);
      if (depths && depths->to > 0) text += fmt::format(", $D_TGT,{}", fixed(depths->to, 0));
      text += '\n';
    }
    text +=
        fmt::format("{} lat={} lon={} radius={} goto={}\n", to.name,
                    latitude_minutes(to.place->latitude), longitude_minutes(to.place->longitude),
                    fixed(std::round(radius_of(route, n)), 0), next.name);
  }
  return text;
}

std::vector<std::string> seaglider_warnings(const Route& route, const FormatOptions&) {
  if (!chooses_dives(route)) return {};
  std::vector<std::string> warnings{
      "seaglider: targets hold no depths: the dive of each leg is in the comment "
      "above it, and $D_TGT of the cmdfile is to be set so"};
  for (std::string& warning : gap_warnings(route, "seaglider", "$D_TGT")) {
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace tidewise
