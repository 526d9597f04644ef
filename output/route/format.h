#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/route/route.h"

namespace tidewise {

/// In what a file says where things are.
enum class RouteFrame {
  geographic,  ///< longitude and latitude
  plane        ///< the environment's x and y, for formats that can
};

/// What a route's writer may be told beside the route.
struct FormatOptions {
  RouteFrame frame = RouteFrame::geographic;
  std::int32_t list = 10;      ///< slocum: the N of goto_l<N>.ma
  bool any_number = false;     ///< slocum: more waypoints than are documented, on the user's word
  std::string file_name = {};  ///< of the file to be, without folder and ending: RTZ wants to know
};

/// A form of file that a route can be written in.
struct RouteFormat {
  std::string_view name;    ///< as of --format
  std::string_view ending;  ///< of its files: ".gpx"
  /// What is written where no file is named, without the ending; empty: the route's name.
  std::string (*stem)(const FormatOptions&) = nullptr;
  bool takes_plane = false;         ///< can be written in RouteFrame::plane
  bool holds_ensemble = false;      ///< has room for tracks beside the route
  std::int32_t most_waypoints = 0;  ///< to go to, unless the user says; 0: any number
  /// The content of the file. Errors: InputError for a route that the format cannot hold, naming
  /// the mend.
  std::string (*text)(const Route&, const FormatOptions&) = nullptr;
};

/// All of them, in the order in which they are listed.
const std::vector<RouteFormat>& route_formats();

/// The one of that name. Errors: InputError with the names that there are.
const RouteFormat& route_format(std::string_view name);

}  // namespace tidewise
