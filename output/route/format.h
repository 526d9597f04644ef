#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output/route/route.h"

namespace tidewise {

/// The coordinates of a file.
enum class RouteFrame {
  geographic,  ///< longitude and latitude
  plane        ///< the environment's x and y, in formats that hold them
};

/// Function by which a MOOS-IvP computes local coordinates: LatLong2LocalUTM, its default, or
/// LatLong2LocalGrid, if it was built without UTM.
enum class MoosGeodesy { utm, grid };

/// Options of a route's writer.
struct FormatOptions {
  RouteFrame frame = RouteFrame::geographic;
  std::int32_t list = 10;      ///< slocum: the N of goto_l<N>.ma, 0 … 99
  bool any_number = false;     ///< slocum: allows more waypoints than documented
  std::string file_name = {};  ///< name of the output file, without folder and ending; RTZ needs it
  /// moos: LatOrigin and LongOrigin; absent: the route's origin.
  std::optional<GeographicPoint> moos_origin = {};
  MoosGeodesy moos_geodesy = MoosGeodesy::utm;
};

/// A file format for routes (docs/fly/export_formats.md).
struct RouteFormat {
  std::string_view name;     ///< as in --format
  std::string_view ending;   ///< ending of its files, such as ".gpx"
  std::string_view readers;  ///< programs that read it, for lists of formats
  /// Texts that identify a file of this format; one of them is near its beginning.
  std::vector<std::string> marks;
  /// Default file name without the ending; empty: the route's name.
  std::string (*stem)(const FormatOptions&) = nullptr;
  bool takes_plane = false;     ///< can be written in RouteFrame::plane
  bool holds_ensemble = false;  ///< holds tracks of flights, too
  bool needs_metres = false;  ///< true if its lengths and speeds are in SI units, so that it needs
                              ///< a metric environment
  /// True if its files hold the depths of each leg's dive, as fields or text.
  bool holds_dive_depths = false;
  /// Above 0 if the vehicles that read it have one capture radius for all waypoints and the target.
  /// A route then has a radius in whole metres: at most that of the target, but at least this one
  /// [m].
  double min_common_radius = 0;
  /// Number of waypoints without the start: the default, and the maximum; 0: any number.
  std::int32_t usual_waypoints = 0;
  std::int32_t max_waypoints = 0;
  /// The content of the file, for a route that write_route() has validated. Errors: InputError with
  /// the remedy for a route that the format cannot hold.
  std::string (*text)(const Route&, const FormatOptions&) = nullptr;
  /// Warnings in addition to the route's remarks, a line each.
  std::vector<std::string> (*warnings)(const Route&, const FormatOptions&) = nullptr;
  /// The content of a second file, of parameters that the vehicle needs for the first one. Its name
  /// is that of the first one and ".param".
  std::string (*parameters)(const Route&) = nullptr;
};

/// All formats, in the order in which they are listed.
const std::vector<RouteFormat>& route_formats();

/// The format of this name. Errors: InputError with the known names.
const RouteFormat& route_format(std::string_view name);

/// The default file name: "washington.gpx", "goto_l10.ma", "targets". It holds only ASCII letters,
/// digits, '_', '-' and '.'. Errors: InputError for an invalid list.
std::string default_file_name(const RouteFormat& format, const std::string& route,
                              const FormatOptions& options);

/// The content of the file, with format_warnings() after the route's remarks. Errors: InputError, a
/// line with the remedy, for a route that the format cannot hold: without longitudes and latitudes,
/// without metres, with too many waypoints, too large.
std::string write_route(const RouteFormat& format, const Route& route,
                        const FormatOptions& options);

/// Warnings in addition to the route's remarks, a line each. One of them is that the
/// format cannot hold the route's depths.
std::vector<std::string> format_warnings(const RouteFormat& format, const Route& route,
                                         const FormatOptions& options);

}  // namespace tidewise
