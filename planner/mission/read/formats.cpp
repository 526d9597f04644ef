#include "planner/mission/read/formats.h"

#include "base/error.h"
#include "planner/error/codes.h"

namespace tidewise {

std::string format_obstacle(const RouteFormat& format, const EnvironmentInfo& info,
                            RouteFrame frame) {
  if (frame == RouteFrame::plane && !format.takes_plane) {
    return "has only longitudes and latitudes, and x and y are requested; take csv or geojson, or "
           "leave --plane out";
  }
  if (frame == RouteFrame::geographic && info.coordinates != Coordinates::geographic) {
    return format.takes_plane
               ? "the environment has no longitudes and latitudes (lon, lat); add --plane for x "
                 "and y, or plan on one that 'tidewise env import' made"
               : "the environment has no longitudes and latitudes (lon, lat), which this format "
                 "needs; write csv or geojson with --plane, or plan on one that 'tidewise env "
                 "import' made";
  }
  if (format.needs_metres && info.units != Units::metric) {
    return "the environment has no units, and this format is in metres and seconds; write csv or "
           "geojson";
  }
  return {};
}

RouteFrame frame_of_formats(const EnvironmentInfo& info) {
  return info.coordinates == Coordinates::geographic ? RouteFrame::geographic : RouteFrame::plane;
}

void require_formats(const RunRequest& request, const EnvironmentInfo& info) {
  for (const std::string& name : request.output.formats) {
    if (name == run_format || name == board_format) continue;
    const RouteFormat& format = route_format(name);
    if (format.takes_plane) continue;
    if (info.coordinates != Coordinates::geographic) {
      throw input_error(errors::format_needs_degrees, request.place("output.formats"), name);
    }
    const std::string obstacle = format_obstacle(format, info, RouteFrame::geographic);
    if (obstacle.empty()) continue;
    throw input_error(errors::format_not_possible, request.place("output.formats"), name, obstacle);
  }
}

}  // namespace tidewise
