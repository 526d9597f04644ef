#include "output/route/format.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "output/error/codes.h"
#include "output/route/text.h"
#include "output/route/writers.h"

namespace tidewise {
namespace {

constexpr std::int32_t max_lists = 100;  // a name of eight characters: "goto_l99"

std::string slocum_stem(const FormatOptions& options) {
  if (options.list < 0 || options.list >= max_lists) {
    throw input_error(errors::slocum_list_invalid, options.list, max_lists - 1);
  }
  return fmt::format("goto_l{}", options.list);
}

std::string seaglider_stem(const FormatOptions&) { return "targets"; }

bool has_finite_place(const RoutePoint& point, RouteFrame frame) {
  if (frame == RouteFrame::plane) return std::isfinite(point.x) && std::isfinite(point.y);
  return std::isfinite(point.place->longitude) && std::abs(point.place->latitude) <= 90;
}

/// Errors: InputError for points without coordinates of the frame, RunError for infinite numbers.
void require_places(const RouteFormat& format, const Route& route, RouteFrame frame) {
  const auto check = [&](const RoutePoint& point, const std::string& what) {
    if (frame == RouteFrame::geographic && !point.place) {
      throw input_error(
          errors::route_without_degrees, format.name,
          format.takes_plane
              ? "add --plane for x and y, or plan on an environment that 'env import' made"
              : "plan on an environment that 'env import' made, or write csv or geojson with "
                "--plane");
    }
    if (!has_finite_place(point, frame)) {
      throw RunError(fmt::format("{}: {} has no finite place", format.name, what));
    }
    if (std::isinf(point.time) || !std::isfinite(point.instant.value_or(0))) {
      throw RunError(fmt::format("{}: {} has no finite time", format.name, what));
    }
  };
  for (const RouteWaypoint& waypoint : route.waypoints) check(waypoint, waypoint.name);
  for (const RouteTrack& track : route.tracks) {
    for (const RoutePoint& point : track.points) check(point, track.name);
  }
}

}  // namespace

const std::vector<RouteFormat>& route_formats() {
  static const std::vector<RouteFormat> formats{
      {.name = "geojson",
       .ending = ".geojson",
       .readers = "maps and GIS: QGIS, Leaflet, geopandas",
       .marks = {"\"FeatureCollection\""},
       .takes_plane = true,
       .holds_ensemble = true,
       .holds_dive_depths = true,
       .text = to_geojson},
      {.name = "gpx",
       .ending = ".gpx",
       .readers = "chart plotters: OpenCPN, qtVlm, Garmin",
       .marks = {"<gpx"},
       .holds_ensemble = true,
       .holds_dive_depths = true,
       .text = to_gpx},
      {.name = "kml",
       .ending = ".kml",
       .readers = "globes: Google Earth, QGIS",
       .marks = {"<kml"},
       .holds_ensemble = true,
       .holds_dive_depths = true,
       .text = to_kml},
      {.name = "csv",
       .ending = ".csv",
       .readers = "tables, and vehicles whose own format is not public",
       .marks = {"name,x_m,", "name,x,", "name,lat,"},
       .takes_plane = true,
       .holds_dive_depths = true,
       .text = to_csv},
      {.name = "slocum",
       .ending = ".ma",
       .readers = "Slocum gliders",
       .marks = {"behavior_name=goto_list"},
       .stem = slocum_stem,
       .needs_metres = true,
       .holds_dive_depths = true,
       .min_common_radius = 10,  // the position error of a glider
       .usual_waypoints = 7,
       .max_waypoints = 8,
       .text = to_slocum,
       .warnings = slocum_warnings},
      {.name = "seaglider",
       .ending = "",
       .readers = "Seagliders",
       .marks = {" goto="},
       .stem = seaglider_stem,
       .needs_metres = true,
       .holds_dive_depths = true,
       .text = to_seaglider,
       .warnings = seaglider_warnings},
      {.name = "moos",
       .ending = ".bhv",
       .readers = "MOOS-IvP helms",
       .marks = {"BHV_Waypoint"},
       .needs_metres = true,
       .holds_dive_depths = true,
       .text = to_moos,
       .warnings = moos_warnings},
      {.name = "qgc-wpl",
       .ending = ".waypoints",
       .readers = "MAVLink: Mission Planner, MAVProxy",
       .marks = {"QGC WPL"},
       .needs_metres = true,
       .min_common_radius = 1,
       .text = to_qgc_wpl,
       .warnings = qgc_wpl_warnings,
       .parameters = ardupilot_parameters},
      {.name = "qgc-plan",
       .ending = ".plan",
       .readers = "MAVLink: QGroundControl",
       .marks = {"\"fileType\""},
       .needs_metres = true,
       .min_common_radius = 1,
       .text = to_qgc_plan,
       .warnings = qgc_plan_warnings,
       .parameters = ardupilot_parameters},
      {.name = "rtz",
       .ending = ".rtz",
       .readers = "ECDIS: IEC 61174, version 1.2",
       .marks = {"<route "},
       .needs_metres = true,
       .text = to_rtz},
  };
  return formats;
}

const RouteFormat& route_format(std::string_view name) {
  std::string names;
  for (const RouteFormat& format : route_formats()) {
    if (format.name == name) return format;
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  throw input_error(errors::route_format_unknown, name, names);
}

std::string default_file_name(const RouteFormat& format, const std::string& route,
                              const FormatOptions& options) {
  return (format.stem != nullptr ? format.stem(options) : portable_name(route)) +
         std::string(format.ending);
}

std::string write_route(const RouteFormat& format, const Route& route,
                        const FormatOptions& options) {
  if (options.frame == RouteFrame::plane && !format.takes_plane) {
    throw input_error(errors::route_plane_not_held, format.name);
  }
  if (format.needs_metres && route.units != Units::metric) {
    throw input_error(errors::route_without_units, format.name);
  }
  if (route.waypoints.size() < 2) {
    throw input_error(errors::route_without_leg, format.name);
  }
  require_places(format, route, options.frame);
  const auto to_go = static_cast<std::int64_t>(route.waypoints.size()) - 1;
  if (format.max_waypoints > 0 && to_go > format.max_waypoints && !options.any_number) {
    throw input_error(errors::route_waypoints_too_many, format.name, to_go, format.max_waypoints,
                      format.max_waypoints);
  }
  const auto warnings = format_warnings(format, route, options);
  if (warnings.empty()) return format.text(route, options);
  Route warned = route;
  for (const std::string& warning : warnings) warned.remarks.push_back("warning: " + warning);
  return format.text(warned, options);
}

std::vector<std::string> format_warnings(const RouteFormat& format, const Route& route,
                                         const FormatOptions& options) {
  std::vector<std::string> warnings;
  if (format.warnings != nullptr) warnings = format.warnings(route, options);
  if (!format.holds_dive_depths && chooses_dives(route)) {
    warnings.push_back(fmt::format(
        "{}: holds no depths: what the vehicle dives on each leg, as these waypoints were flown, "
        "is in csv and geojson",
        format.name));
  }
  return warnings;
}

}  // namespace tidewise
