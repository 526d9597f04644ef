#include <fmt/format.h>

#include <cmath>

#include "output/route/mavlink.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {

std::vector<MavlinkItem> mavlink_items(const Route& route) {
  constexpr double through_water = 0;
  constexpr double same_throttle = -1;
  std::vector<MavlinkItem> items;
  const double radius = one_radius_of(route, route_format("qgc-wpl"));
  std::string speed;
  for (std::size_t n = 1; n < route.waypoints.size(); ++n) {
    const double leg_speed = route.waypoints[n - 1].speed;
    if (std::isfinite(leg_speed) && fixed(leg_speed, 3) != speed) {
      speed = fixed(leg_speed, 3);
      items.push_back({mavlink::change_speed,
                       mavlink::frame_mission,
                       {through_water, rounded(leg_speed, 3), same_throttle, 0},
                       {}});
    }
    items.push_back({mavlink::waypoint,
                     mavlink::frame_above_home,
                     {0, radius, 0, 0},
                     *route.waypoints[n].place});
  }
  return items;
}

std::string to_qgc_wpl(const Route& route, const FormatOptions&) {
  const auto line = [](std::size_t number, int current, const MavlinkItem& item) {
    std::string text = fmt::format("{}\t{}\t{}\t{}", number, current, item.frame, item.command);
    for (const double parameter : item.parameters) text += '\t' + fixed(parameter, 6);
    return text + fmt::format("\t{}\t{}\t0.000000\t1\n", latitude_text(item.place.latitude),
                              longitude_text(item.place.longitude));
  };
  std::string text = "QGC WPL 110\n";
  text +=
      line(0, 1, {mavlink::waypoint, mavlink::frame_above_sea, {}, *route.waypoints.front().place});
  std::size_t number = 1;
  for (const MavlinkItem& item : mavlink_items(route)) text += line(number++, 0, item);
  return text;
}

std::string ardupilot_parameters(const Route& route) {
  return fmt::format("WP_RADIUS,{}\n", fixed(one_radius_of(route, route_format("qgc-wpl")), 0));
}

std::vector<std::string> ardupilot_warnings(const Route& route, const RouteFormat& format) {
  std::vector<std::string> warnings{fmt::format(
      "{}: load the .param file of the same name, too: ArduPilot's boats ignore the radius of a "
      "mission's waypoints and take WP_RADIUS for all, here {} m",
      format.name, fixed(one_radius_of(route, format), 0))};
  warnings.push_back(warn_of_one_radius(route, format, "the boat ends the mission"));
  std::erase(warnings, "");
  return warnings;
}

std::vector<std::string> qgc_wpl_warnings(const Route& route, const FormatOptions&) {
  return ardupilot_warnings(route, route_format("qgc-wpl"));
}

}  // namespace tidewise
