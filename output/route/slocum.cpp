#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {

std::string to_slocum(const Route& route, const FormatOptions& options) {
  std::string text = "behavior_name=goto_list\n";
  text += fmt::format("# goto_l{}.ma\n", options.list);
  text += commented_notes(route, "#");
  text += "<start:b_arg>\n";
  text += "    b_arg: num_legs_to_run(nodim) -2 # once through the list\n";
  text += "    b_arg: start_when(enum) 0 # at once\n";
  text += "    b_arg: list_stop_when(enum) 7 # within a distance of the waypoint\n";
  text += fmt::format("    b_arg: list_when_wpt_dist(m) {}\n",
                      fixed(one_radius_of(route, route_format("slocum")), 0));
  text += "    b_arg: initial_wpt(enum) 0 # the first one\n";
  text += fmt::format("    b_arg: num_waypoints(nodim) {}\n", route.waypoints.size() - 1);
  text += "<end:b_arg>\n<start:waypoints>\n";
  for (std::size_t n = 1; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& to = route.waypoints[n];
    text += fmt::format("{}\t{} # {}", longitude_minutes(to.place->longitude),
                        latitude_minutes(to.place->latitude), to.name);
    if (to.instant) text += " " + utc_text(*to.instant);
    const auto& dive = route.waypoints[n - 1].dive;
    if (dive) text += ", " + dive_text(*dive) + " on the leg to here";
    text += '\n';
  }
  text += "<end:waypoints>\n";
  return text;
}

std::vector<std::string> slocum_warnings(const Route& route, const FormatOptions&) {
  const RouteFormat& format = route_format("slocum");
  const std::size_t to_go = route.waypoints.size() - 1;
  std::vector<std::string> warnings;
  if (to_go > static_cast<std::size_t>(format.usual_waypoints)) {
    warnings.push_back(
        fmt::format("slocum: {} waypoints to go to: operators' tools stop at {}, and the "
                    "documented list holds {}",
                    to_go, format.usual_waypoints, format.max_waypoints));
  }
  warnings.push_back(warn_of_one_radius(route, format, "the glider ends the list"));
  std::erase(warnings, "");
  if (chooses_dives(route)) {
    warnings.push_back(
        "slocum: a list of waypoints holds no depths: the dive of each leg is in "
        "its comment, and d_target_depth of yo is to be set so");
  }
  for (std::string& warning : gap_warnings(route, "slocum", "d_target_depth of yo")) {
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace tidewise
