#include "planner/reach/regions.h"

#include <limits>
#include <utility>

#include "output/json_number.h"
#include "output/route/geojson_polygons.h"
#include "output/route/plane/contour.h"
#include "output/route/text.h"

namespace tidewise {
namespace {

using GeoJson = nlohmann::ordered_json;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr double max_probability_loss = 0.01;  // compared with the probability at the start

/// Returns the corners in degrees, or in x and y rounded to 0.001 of the plane's unit; empty if a
/// corner has no place or fewer than three remain.
std::vector<GeographicPoint> corners_of(const std::vector<PlanePoint>& ring,
                                        const RoutePlaces& places, RouteFrame frame) {
  std::vector<GeographicPoint> corners;
  for (const PlanePoint& point : ring) {
    if (frame == RouteFrame::plane) {
      corners.push_back({rounded(point.x, 3), rounded(point.y, 3)});
    } else if (const auto place = places.place(point)) {
      corners.push_back(*place);
    }
  }
  if (corners.size() < ring.size() || corners.size() < 3) corners.clear();
  return corners;
}

}  // namespace

ReachRegions::ReachRegions(const EnvironmentReader& environment, const Mission& mission,
                           const nlohmann::ordered_json& expected, const FlightDensity* flights)
    : environment_(environment), mission_(mission), flights_(flights), places_(environment) {
  if (!expected.is_object()) return;
  const auto time = expected.find("time");
  const auto arrival = expected.find("arrival_probability");
  if (time == expected.end() || !time->is_number()) return;
  if (arrival == expected.end() || !arrival->is_number()) return;
  expected_time_ = time->get<double>();
  expected_arrival_ = arrival->get<double>();
}

void ReachRegions::accept(TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed) {
  features_.emplace_back();
  std::vector<float> field(to_go.size);
  for (std::size_t n = 0; n < field.size(); ++n) {
    field[n] = closed[n] == 0 ? static_cast<float>(to_go[n].arrival) : nan;
  }
  if (supports_probability(environment_.info().uncertainty)) {
    for (const double chance : {0.1, 0.5, 0.9}) {
      add(k, field, chance, {{"kind", "chance of arriving"}, {"at_least", chance}});
    }
  } else {
    add(k, field, 0.5, {{"kind", "arrival by the model"}});
  }
  const TimeAxis& time = environment_.info().time;
  if (k < mission_.departure) return;
  if (expected_time_) {
    const double hour = environment_.info().units == Units::metric ? 3600 : 1;
    const double elapsed = time.at(k) - departure_time(time, mission_);
    for (std::size_t n = 0; n < field.size(); ++n) {
      const ToGo& cell = to_go[n];
      const bool is_likely =
          closed[n] == 0 && cell.arrival >= expected_arrival_ - max_probability_loss;
      field[n] = is_likely && cell.arrival > 0
                     ? static_cast<float>(*expected_time_ - elapsed - cell.time / cell.arrival)
                     : nan;
    }
    add(k, field, -hour, {{"kind", "delay"}, {"at_most", hour}});
  }
  if (flights_ == nullptr) return;
  field = flights_->at(k);
  for (std::size_t n = 0; n < field.size(); ++n) {
    if (closed[n] != 0) field[n] = nan;
  }
  add(k, field, 1, {{"kind", "flights"}, {"share", FlightDensity::share}});
}

void ReachRegions::add(TimeLevel k, const std::vector<float>& field, double min,
                       GeoJson properties) {
  const EnvironmentInfo& info = environment_.info();
  const RouteFrame frame =
      info.coordinates == Coordinates::geographic ? RouteFrame::geographic : RouteFrame::plane;
  GeoJson polygons = GeoJson::array();
  for (const PlanePolygon& region : contour(info.grid, field, min)) {
    GeographicPolygon polygon{corners_of(region.outer, places_, frame), {}};
    if (polygon.outer.empty()) continue;
    for (const auto& hole : region.holes) {
      auto corners = corners_of(hole, places_, frame);
      if (!corners.empty()) polygon.holes.push_back(std::move(corners));
    }
    for (GeoJson& piece : geojson_polygons(polygon, frame)) polygons.push_back(std::move(piece));
  }
  if (polygons.empty()) return;
  const double time = info.time.at(k);
  properties["level"] = k.value;
  properties["time"] = json_number(time);
  const auto instant = places_.instant(time);
  properties["utc"] = instant ? GeoJson(utc_text(*instant)) : GeoJson(nullptr);
  const GeoJson feature{{"type", "Feature"},
                        {"properties", std::move(properties)},
                        {"geometry", {{"type", "MultiPolygon"}, {"coordinates", polygons}}}};
  features_.back().push_back(feature.dump(-1, ' ', true, GeoJson::error_handler_t::replace));
}

std::string ReachRegions::to_geojson() const {
  std::string text = "{\"type\":\"FeatureCollection\",";
  if (environment_.info().coordinates != Coordinates::geographic) {
    text += "\n\"coordinates_are\":\"x and y of the environment's plane\",";
  }
  text += "\n\"features\":[";
  const char* before = "\n";
  for (auto level = features_.rbegin(); level != features_.rend(); ++level) {
    for (const std::string& feature : *level) {
      text += before + feature;
      before = ",\n";
    }
  }
  return text + "\n]}\n";
}

}  // namespace tidewise
