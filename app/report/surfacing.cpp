#include "app/report/surfacing.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "app/error/codes.h"
#include "app/report/environment.h"
#include "app/report/pilot_words.h"
#include "app/report/place_words.h"
#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/file/uncertainty_words.h"
#include "env/units/geographic_position.h"
#include "env/units/meridian_convergence.h"
#include "output/route/geojson_polygons.h"
#include "output/route/text.h"
#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

bool is_geographic(const EnvironmentReader& environment) {
  return environment.info().coordinates == Coordinates::geographic;
}

GeographicPoint on_globe(const EnvironmentReader& environment, PlanePoint at) {
  return to_globe(environment.info().grid, environment.read_longitude(),
                  environment.read_latitude(), at);
}

/// Direction of the long axis [degrees, 0 to 180): clockwise from true north, or from +x if there
/// is no north.
double axis_degrees(const SurfacingRegion& region, const EnvironmentReader& environment) {
  double degrees = region.angle * 180 / std::numbers::pi;
  if (is_geographic(environment)) {
    const MeridianConvergence convergence(environment.info().grid, environment.read_longitude(),
                                          environment.read_latitude());
    degrees = true_bearing(region.angle, convergence.at(region.centre.x, region.centre.y));
  }
  degrees = std::fmod(degrees + 360, 180);
  return degrees < 179.5 ? degrees : 0;
}

std::string describe_ellipse(const SurfacingEllipse& ellipse, Units units) {
  if (units == Units::metric) {
    return fmt::format("{:.0f} % within {:.2g} × {:.2g} km of it", 100 * ellipse.probability,
                       ellipse.semi_major / 1000, ellipse.semi_minor / 1000);
  }
  return fmt::format("{:.0f} % within {:.3g} × {:.3g} of it", 100 * ellipse.probability,
                     ellipse.semi_major, ellipse.semi_minor);
}

std::string time_in_words(double time, const EnvironmentReader& environment) {
  const auto reference = time_reference(environment);
  return reference ? describe_date(*reference + time) : "time " + plain_number(time, 6);
}

std::string describe_centre(const SurfacingRegion& region, const EnvironmentReader& environment) {
  if (!is_geographic(environment)) {
    return fmt::format("x {:.6g}, y {:.6g}", region.centre.x, region.centre.y);
  }
  const auto place = on_globe(environment, region.centre);
  return describe_degrees(place.longitude, place.latitude);
}

}  // namespace

std::string describe_plan_end(double end, const EnvironmentReader& environment) {
  return "the plan ends before, " + time_in_words(end, environment);
}

std::string describe_next_surfacing(const SurfacingRegion& region,
                                    const EnvironmentReader& environment, double departure) {
  const std::string window =
      supports_probability(environment.info().uncertainty)
          ? ", " + describe_ellipse(region.within_90, environment.info().units)
          : "";
  const double when = departure + region.after;
  const auto reference = time_reference(environment);
  return fmt::format(
      "Surfacing {} about {}{}.\n",
      reference ? describe_short_date(*reference + when) : time_in_words(when, environment),
      describe_centre(region, environment), window);
}

std::string describe_surfacing(const SurfacingRegion& region, const EnvironmentReader& environment,
                               double departure) {
  const Units units = environment.info().units;
  const std::string time = time_in_words(departure + region.after, environment);
  std::string axis = fmt::format("{:.0f}° from +x", std::abs(axis_degrees(region, environment)));
  if (is_geographic(environment)) {
    axis = fmt::format("{:03.0f}° true", axis_degrees(region, environment));
  }
  std::string text = report_line(
      "surfaces next", fmt::format("{}, about {}", time, describe_centre(region, environment)));
  if (!supports_probability(environment.info().uncertainty)) return text;
  text += report_line("", fmt::format("{}, {}; the longer half axis along {}",
                                      describe_ellipse(region.within_50, units),
                                      describe_ellipse(region.within_90, units), axis));
  if (region.ended > 0) {
    text += report_line("", fmt::format("{:.3g} % of flights end before, and count where they do",
                                        100 * region.ended));
  }
  return text;
}

Json surfacing_to_json(const SurfacingRegion& region, const EnvironmentReader& environment,
                       double departure) {
  const auto reference = time_reference(environment);
  const double when = departure + region.after;
  Json json{{"time", reference ? *reference + when : when}};
  if (reference) json["date"] = utc_text(*reference + when);
  json["x"] = region.centre.x;
  json["y"] = region.centre.y;
  if (is_geographic(environment)) {
    const auto place = on_globe(environment, region.centre);
    json["longitude"] = place.longitude;
    json["latitude"] = place.latitude;
  }
  json[is_geographic(environment) ? "bearing" : "angle"] = axis_degrees(region, environment);
  json["flights"] = region.flights;
  json["ended_before"] = region.ended;
  json["uncertainty"] = uncertainty_word(environment.info().uncertainty);
  json["regions"] = Json::array();
  if (!supports_probability(environment.info().uncertainty)) return json;
  for (const SurfacingEllipse& ellipse : {region.within_50, region.within_90}) {
    json["regions"].push_back({{"probability", ellipse.probability},
                               {"semi_major", ellipse.semi_major},
                               {"semi_minor", ellipse.semi_minor}});
  }
  return json;
}

Json surfacing_to_geojson(const SurfacingRegion& region, const EnvironmentReader& environment,
                          double departure) {
  if (!is_geographic(environment)) {
    throw input_error(errors::regions_without_degrees);
  }
  constexpr int corners = 72;
  const Json attributes = surfacing_to_json(region, environment, departure);
  const auto longitude = environment.read_longitude();
  const auto latitude = environment.read_latitude();
  const bool has_probability = supports_probability(environment.info().uncertainty);
  std::vector<SurfacingEllipse> ellipses{region.within_90};
  if (has_probability) ellipses.push_back(region.within_50);
  Json features = Json::array();
  for (const SurfacingEllipse& ellipse : ellipses) {
    GeographicPolygon polygon;
    for (int n = 0; n < corners; ++n) {
      const double turn = 2 * std::numbers::pi * n / corners;
      const double along = ellipse.semi_major * std::cos(turn);
      const double across = ellipse.semi_minor * std::sin(turn);
      polygon.outer.push_back(to_globe(
          environment.info().grid, longitude, latitude,
          {region.centre.x + along * std::cos(region.angle) - across * std::sin(region.angle),
           region.centre.y + along * std::sin(region.angle) + across * std::cos(region.angle)}));
    }
    Json properties{{"time", attributes["time"]}, {"uncertainty", attributes["uncertainty"]}};
    if (has_probability) properties["probability"] = ellipse.probability;
    if (attributes.contains("date")) properties["datetime"] = attributes["date"];
    properties["semi_major_m"] = ellipse.semi_major;
    properties["semi_minor_m"] = ellipse.semi_minor;
    properties["bearing"] = attributes["bearing"];
    features.push_back({{"type", "Feature"},
                        {"properties", properties},
                        {"geometry",
                         {{"type", "MultiPolygon"},
                          {"coordinates", geojson_polygons(polygon, RouteFrame::geographic)}}}});
  }
  return {{"type", "FeatureCollection"}, {"features", features}};
}

}  // namespace tidewise
