#include <fmt/format.h>

#include <cmath>

#include "output/route/mavlink.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {

std::vector<MavlinkItem> mavlink_items(const Route& route) {
  constexpr double through_the_medium = 0;
  constexpr double throttle_as_it_is = -1;
  std::vector<MavlinkItem> items;
  std::string speed;
  for (std::size_t n = 1; n < route.waypoints.size(); ++n) {
    const double wanted = route.waypoints[n - 1].speed;
    if (std::isfinite(wanted) && fixed(wanted, 3) != speed) {
      speed = fixed(wanted, 3);
      items.push_back({mavlink::change_speed,
                       mavlink::frame_mission,
                       {through_the_medium, rounded(wanted, 3), throttle_as_it_is, 0},
                       {}});
    }
    items.push_back({mavlink::waypoint,
                     mavlink::frame_above_home,
                     {0, radius_of(route, n), 0, 0},
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

}  // namespace tidewise
