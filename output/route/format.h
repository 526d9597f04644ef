#pragma once

#include <cstdint>
#include <optional>
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

/// How a MOOS-IvP computes local coordinates: by LatLong2LocalUTM, its default, or, built without
/// UTM, by LatLong2LocalGrid.
enum class MoosGeodesy { utm, grid };

/// What a route's writer may be told beside the route.
struct FormatOptions {
  RouteFrame frame = RouteFrame::geographic;
  std::int32_t list = 10;      ///< slocum: the N of goto_l<N>.ma, 0 … 99
  bool any_number = false;     ///< slocum: more waypoints than are documented, on the user's word
  std::string file_name = {};  ///< of the file to be, without folder and ending: RTZ wants to know
  /// moos: LatOrigin and LongOrigin; nothing: the route's origin.
  std::optional<GeographicPoint> moos_origin = {};
  MoosGeodesy moos_geodesy = MoosGeodesy::utm;
};

/// A form of file that a route can be written in (docs/fly/export_formats.md).
struct RouteFormat {
  std::string_view name;     ///< as of --format
  std::string_view ending;   ///< of its files: ".gpx"
  std::string_view readers;  ///< who reads it, for lists of formats
  /// What is written where no file is named, without the ending; empty: the route's name.
  std::string (*stem)(const FormatOptions&) = nullptr;
  bool takes_plane = false;     ///< can be written in RouteFrame::plane
  bool holds_ensemble = false;  ///< has room for tracks beside the route
  bool needs_metres = false;    ///< of no use without: its lengths and speeds are in SI units
  /// Says of each leg between what depths to dive, in fields or in words.
  bool says_dives = false;
  /// Above 0 where its vehicles have one capture radius for all waypoints, the target's too: routes
  /// are made with one in whole metres that is no more than the target's, or this least one [m].
  double least_one_radius = 0;
  /// Waypoints to go to, the start not counted: so many unless the user says, and at most; 0: any
  /// number.
  std::int32_t usual_waypoints = 0;
  std::int32_t most_waypoints = 0;
  /// The content of the file, of a route that write_route() has judged. Errors: InputError for one
  /// that the format cannot hold, naming the remedy.
  std::string (*text)(const Route&, const FormatOptions&) = nullptr;
  /// What whoever writes it should know beside the route's remarks, a line each.
  std::vector<std::string> (*warnings)(const Route&, const FormatOptions&) = nullptr;
  /// The content of a second file, of parameters that the vehicle needs for the first one. Its name
  /// is that of the first with ".param" behind.
  std::string (*parameters)(const Route&) = nullptr;
};

/// All of them, in the order in which they are listed.
const std::vector<RouteFormat>& route_formats();

/// The one of that name. Errors: InputError with the names that there are.
const RouteFormat& route_format(std::string_view name);

/// The file's name where none is given: "washington.gpx", "goto_l10.ma", "targets". Of ASCII
/// letters, digits, '_', '-' and '.' alone, whatever the run is called. Errors: InputError for a
/// list that there cannot be.
std::string default_file_name(const RouteFormat& format, const Route& route,
                              const FormatOptions& options);

/// The content of the file, in which format_warnings() stand beside the route's remarks. Errors:
/// InputError, a line with the remedy, for a route that the format cannot hold: without longitudes
/// and latitudes, without metres, with too many waypoints, too large.
std::string write_route(const RouteFormat& format, const Route& route,
                        const FormatOptions& options);

/// What whoever writes it should know beside the route's remarks, a line each; of a format that
/// says nothing of depths, that where the route has them.
std::vector<std::string> format_warnings(const RouteFormat& format, const Route& route,
                                         const FormatOptions& options);

}  // namespace tidewise
