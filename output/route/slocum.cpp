#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {

namespace {

/// Of all waypoints, the target too, as the list has one for all [m]: the route was made for that.
double list_distance(const Route& route) {
  return std::max(least_list_radius, std::round(route.capture_radius));
}

}  // namespace

std::string to_slocum(const Route& route, const FormatOptions& options) {
  std::string text = "behavior_name=goto_list\n";
  text += fmt::format("# goto_l{}.ma\n", options.list);
  text += commented_notes(route, "#");
  text += "<start:b_arg>\n";
  text += "    b_arg: num_legs_to_run(nodim) -2 # once through the list\n";
  text += "    b_arg: start_when(enum) 0 # at once\n";
  text += "    b_arg: list_stop_when(enum) 7 # within a distance of the waypoint\n";
  text += fmt::format("    b_arg: list_when_wpt_dist(m) {}\n", fixed(list_distance(route), 0));
  text += "    b_arg: initial_wpt(enum) 0 # the first one\n";
  text += fmt::format("    b_arg: num_waypoints(nodim) {}\n", route.waypoints.size() - 1);
  text += "<end:b_arg>\n<start:waypoints>\n";
  for (std::size_t n = 1; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& to = route.waypoints[n];
    text += fmt::format("{}\t{} # {}", longitude_minutes(to.place->longitude),
                        latitude_minutes(to.place->latitude), to.name);
    if (to.instant) text += " " + utc_text(*to.instant);
    const auto& dive = route.waypoints[n - 1].dive;
    if (dive) text += ", " + dive_text(*dive) + " on the way here";
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
                    to_go, format.usual_waypoints, format.most_waypoints));
  }
  if (list_distance(route) > route.arrival_radius + 0.5) {
    warnings.push_back(fmt::format(
        "slocum: the glider is through with the list {} m from the target, whose own radius is {} "
        "m: a list has one distance for all waypoints",
        fixed(list_distance(route), 0), fixed(route.arrival_radius, 0)));
  }
  if (chooses_dives(route)) {
    warnings.push_back(
        "slocum: a list of waypoints holds no depths: what to dive on the way to each stands in "
        "its comment, and d_target_depth of yo is to be set so");
  }
  return warnings;
}

}  // namespace tidewise
