#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "output/view/flight_density.h"
#include "planner/route/route_places.h"
#include "solver/evaluate/to_go.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Regions for charts as GeoJSON (RFC 7946), at each level: a MultiPolygon of the cells from which
/// the policy arrives with a probability of 10, 50 and 90 %; of the cells from which it arrives at
/// most an hour (one unit of time without seconds) after the expected arrival, with the probability
/// of the start; and the corridor that holds nine in ten flights.
class ReachRegions {
 public:
  /// `expected`: the prediction at the start, from summary.json; null for no band around the
  /// arrival. `flights`: null for no corridor. All references must outlive this object.
  ReachRegions(const EnvironmentReader& environment, const Mission& mission,
               const nlohmann::ordered_json& expected, const FlightDensity* flights);

  /// Adds a level. Levels come in the order of a sweep, the last one first.
  void accept(TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed);

  /// Returns all regions as GeoJSON text.
  std::string to_geojson() const;

 private:
  void add(TimeLevel k, const std::vector<float>& field, double min,
           nlohmann::ordered_json properties);

  const EnvironmentReader& environment_;
  const Mission& mission_;
  std::optional<double> expected_time_;  ///< [s or 1] from the departure to the arrival
  double expected_arrival_ = 0;
  const FlightDensity* flights_;
  RoutePlaces places_;
  std::vector<std::vector<std::string>> features_;  ///< (level), the last level first
};

}  // namespace tidewise
