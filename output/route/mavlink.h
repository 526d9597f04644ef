#pragma once

#include <string>
#include <vector>

#include "output/route/format.h"
#include "output/route/route.h"

namespace tidewise {

/// Numbers of MAVLink's common message set (MAV_CMD, MAV_FRAME).
namespace mavlink {
inline constexpr int waypoint = 16;
inline constexpr int change_speed = 178;
inline constexpr int frame_above_sea = 0;
inline constexpr int frame_mission = 2;  ///< an item without a place
inline constexpr int frame_above_home = 3;
}  // namespace mavlink

/// An item of a mission: a waypoint, or a change of speed.
struct MavlinkItem {
  int command = mavlink::waypoint;
  int frame = mavlink::frame_above_home;
  double parameters[4] = {};
  GeographicPoint place;  ///< 0, 0 if the command has no place
};

/// The vehicle's mission items after its home, the start: changes of speed, and waypoints at the
/// surface, all with the one radius that the route was made for. Speeds are through the water
/// (MAVLink's "airspeed").
std::vector<MavlinkItem> mavlink_items(const Route& route);

/// Warns that the radius of a mission's waypoints has to be set by a parameter.
std::vector<std::string> ardupilot_warnings(const Route& route, const RouteFormat& format);

}  // namespace tidewise
