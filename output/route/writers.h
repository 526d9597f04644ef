#pragma once

#include "output/route/format.h"

// The writers of the formats; docs/fly/export_formats.md describes the contents. All require what
// write_route() validates: at least two waypoints, finite numbers, places if the format holds them,
// and metres if RouteFormat requires them. Errors: InputError if the format cannot hold the route.
namespace tidewise {

std::string to_geojson(const Route& route, const FormatOptions& options);
std::string to_gpx(const Route& route, const FormatOptions& options);
std::string to_kml(const Route& route, const FormatOptions& options);
/// A line for each waypoint: name, place, estimated time of arrival, course and speed of the leg.
std::string to_csv(const Route& route, const FormatOptions& options);
std::string to_slocum(const Route& route, const FormatOptions& options);
std::string to_seaglider(const Route& route, const FormatOptions& options);
std::string to_moos(const Route& route, const FormatOptions& options);
std::string to_qgc_wpl(const Route& route, const FormatOptions& options);
std::string to_qgc_plan(const Route& route, const FormatOptions& options);
std::string to_rtz(const Route& route, const FormatOptions& options);
/// WP_RADIUS for ArduPilot's boats, which do not read the radius of a mission's waypoint.
std::string ardupilot_parameters(const Route& route);

std::vector<std::string> slocum_warnings(const Route& route, const FormatOptions& options);
std::vector<std::string> seaglider_warnings(const Route& route, const FormatOptions& options);
std::vector<std::string> moos_warnings(const Route& route, const FormatOptions& options);
std::vector<std::string> qgc_wpl_warnings(const Route& route, const FormatOptions& options);
std::vector<std::string> qgc_plan_warnings(const Route& route, const FormatOptions& options);

}  // namespace tidewise
