#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "env/grid.h"
#include "env/points.h"
#include "output/view/view_lattice.h"

namespace tidewise {

/// Closed cells.
struct ObstacleView {
  ViewLattice lattice;  ///< one level where nothing moves
  /// (level, y, x), as in an environment's mask: 0 open, 1 closed, 2 beyond the forecast, closed
  /// too
  std::vector<std::uint8_t> closed;
};

/// A policy.
struct PolicyView {
  ViewLattice lattice;
  std::vector<std::int16_t> action;  ///< (level, y, x), −1 = none
  std::vector<float> value;          ///< (level, y, x); NaN where it means nothing
};

/// Outcome of a policy from every state, from 'tidewise reach'.
struct ReachView {
  ViewLattice lattice;
  std::vector<float> arrival;     ///< (level, y, x) probability; NaN where it is closed
  std::vector<float> time_to_go;  ///< (level, y, x) of what arrives [s or 1]; NaN where none does
};

/// The corridor of the flights (flight_density.h).
struct CorridorView {
  ViewLattice lattice;
  std::vector<float> density;  ///< (level, y, x) over that on the corridor's rim
};

/// Mean and modes of the velocity.
struct VelocityView {
  std::vector<float> u_mean, v_mean;  ///< (level, y, x) [m s-1 or 1]
  /// (level, mode, y, x), or (mode, y, x) of FlowView::fixed_modes; each mode times the root mean
  /// square of its coefficient [m s-1 or 1]
  std::vector<float> u_mode, v_mode;
};

/// The flow of an environment in reduced-order form, and its scalar field.
struct FlowView {
  ViewLattice lattice;
  std::int32_t mode_count = 0;
  bool fixed_modes = false;            ///< all levels have the same modes
  std::vector<VelocityView> velocity;  ///< velocity of each of the vehicle's profiles, at least one
  std::vector<std::int32_t> realization;  ///< the numbers of those that are kept
  std::vector<float> coefficient;         ///< (level, mode, realization), over that mean square
  /// (level, mode, mode) of all realizations' coefficients; empty where these are fewer than the
  /// modes and count alike, as the kept coefficients then tell the spread
  std::vector<float> covariance;
  std::vector<float> scalar;  ///< (level, y, x); empty without a scalar field
};

/// Places of the plane on the globe: at nodes, every few cells, on the unit sphere, where neither
/// 180 degrees nor a pole is special.
struct GlobeView {
  ViewLattice lattice;              ///< lattice of one level
  std::vector<double> point;        ///< (3, y, x): towards 0° E, 90° E and the North Pole
  std::vector<double> convergence;  ///< (2, y, x): cosine and sine of the meridian convergence
};

/// Flights; those that are drawn are as many as fit, spread evenly over all.
struct FlightsView {
  // Values of all flights:
  std::vector<double> end_time;  ///< [s or 1] since the first level, when each ended
  std::vector<std::uint8_t> outcome;
  std::vector<std::int32_t> realization;
  std::vector<float> energy;  ///< spent until then
  std::vector<float> weight;  ///< empty: all count alike
  std::size_t max_points = 0;
  std::vector<std::int32_t> drawn;        ///< the drawn flights
  std::vector<std::int32_t> point_count;  ///< number of points of each drawn flight
  std::vector<double> x, y;  ///< (drawn, point); after a flight's last point that again [m or 1]
  /// (drawn, point) What is dived from there on, and at the end and after it as before; empty where
  /// there is no choice.
  std::vector<std::uint8_t> profile;
};

/// The name of a place on a map.
struct MapName {
  PlanePoint point;
  std::int32_t rank = 0;  ///< Natural Earth's scalerank; 0 is the most important
  bool is_sea = false;    ///< else a populated place
  std::string name;       ///< UTF-8
};

/// Parts of Natural Earth that lie in a plane.
struct NaturalEarthView {
  using Lines = std::vector<std::vector<PlanePoint>>;
  Lines coast, depth_200, depth_1000;  ///< the coastline, contours of 200 m and 1000 m depth
  std::vector<MapName> names;          ///< ascending ranks
};

/// A run as a page shows it.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON is noexcept, whatever its library calls
struct RunView {
  /// Texts and numbers that the page prints: name, mission and results (page/data.js).
  nlohmann::ordered_json facts;
  Grid grid;
  std::vector<std::string> notes;  ///< remarks for the reader of the page
  ObstacleView obstacles;
  PolicyView policy;
  std::optional<FlowView> flow;
  std::optional<GlobeView> globe;
  std::optional<FlightsView> flights;
  std::optional<ReachView> reach;
  std::optional<CorridorView> corridor;
  NaturalEarthView natural_earth;
};

}  // namespace tidewise
