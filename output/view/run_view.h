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
  ViewLattice lattice;  ///< one level if no obstacle moves
  /// (level, y, x), as in an environment's mask: 0 open, 1 closed, 2 outside the forecast, also
  /// closed
  std::vector<std::uint8_t> closed;
};

/// A policy.
struct PolicyView {
  ViewLattice lattice;
  std::vector<std::int16_t> action;  ///< (level, y, x), −1 = none
  std::vector<float> value;          ///< (level, y, x); NaN if undefined
};

/// Outcome of a policy from every state, from 'tidewise reach'.
struct ReachView {
  ViewLattice lattice;
  std::vector<float> arrival;     ///< (level, y, x) probability; NaN in closed cells
  std::vector<float> time_to_go;  ///< (level, y, x) mean over arrivals [s or 1]; NaN without any
};

/// The corridor of the flights (flight_density.h).
struct CorridorView {
  ViewLattice lattice;
  std::vector<float> density;  ///< (level, y, x) divided by that on the corridor's rim
};

/// Mean and modes of the velocity.
struct VelocityView {
  std::vector<float> u_mean, v_mean;  ///< (level, y, x) [m s-1 or 1]
  /// (level, mode, y, x), or (mode, y, x) with FlowView::fixed_modes; each mode times the root mean
  /// square of its coefficient [m s-1 or 1]
  std::vector<float> u_mode, v_mode;
};

/// The flow of an environment in reduced-order form, and its scalar field.
struct FlowView {
  ViewLattice lattice;
  std::int32_t mode_count = 0;
  bool fixed_modes = false;            ///< all levels have the same modes
  std::vector<VelocityView> velocity;  ///< velocity of each of the vehicle's profiles, at least one
  std::vector<std::int32_t> realization;  ///< numbers of the realizations in the page
  std::vector<float> coefficient;  ///< (level, mode, realization), divided by its root mean square
  /// (level, mode, mode) covariances of the coefficients of all realizations; empty if there are
  /// fewer realizations than modes, with equal weights, as `coefficient` then gives the spread
  std::vector<float> covariance;
  std::vector<float> scalar;  ///< (level, y, x); empty without a scalar field
};

/// Positions of nodes of the plane, every few cells, on the globe: on the unit sphere, where
/// neither 180 degrees nor a pole is special.
struct GlobeView {
  ViewLattice lattice;        ///< lattice of one level
  std::vector<double> point;  ///< (3, y, x): components towards 0° E, 90° E and the North Pole
  std::vector<double> convergence;  ///< (2, y, x): cosine and sine of the meridian convergence
};

/// Flights. As many as fit are drawn, chosen evenly from all.
struct FlightsView {
  // Values of all flights:
  std::vector<double> end_time;  ///< [s or 1] since the first level, when each ended
  std::vector<std::uint8_t> outcome;
  std::vector<std::int32_t> realization;
  std::vector<float> energy;  ///< spent until then
  std::vector<float> weight;  ///< empty: equal weights
  std::size_t max_points = 0;
  std::vector<std::int32_t> drawn;        ///< the drawn flights
  std::vector<std::int32_t> point_count;  ///< number of points of each drawn flight
  std::vector<double> x, y;  ///< (drawn, point) [m or 1]; repeats a flight's last point
  /// (drawn, point) Profile dived from each point; repeats the last one from a flight's end on.
  /// Empty if there is no choice.
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
