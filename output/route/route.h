#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "env/environment_info.h"
#include "env/points.h"
#include "tidewise/mission.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// A place and a time.
struct RoutePoint {
  double x = 0;  ///< [m or 1]
  double y = 0;
  /// [degrees], longitude −180 … 180; set if the environment has longitudes.
  std::optional<GeographicPoint> place;
  /// In the environment's units [s or 1]; NaN for a waypoint that no flight reaches.
  double time = 0;
  std::optional<double> instant;  ///< [s since 1970, UTC]; set if times have dates
};

/// Times at which flights that follow the waypoints pass a waypoint, weighted by realization: over
/// the flights that arrive or, if none does, over those that get farthest.
struct ArrivalWindow {
  double p05 = 0;  ///< time as in RoutePoint
  double p95 = 0;
  std::optional<double> p05_instant;
  std::optional<double> p95_instant;
  double share = 0;  ///< share of all flights that reach it
};

/// A waypoint and the leg from it to the next one. Its time is the median over the flights of its
/// window; for the target, of the times at which they would be at its point. The first waypoint is
/// the start, which --waypoints does not count; the last one is the target and has no leg.
struct RouteWaypoint : RoutePoint {
  std::string name;  ///< unique in the route, ASCII without spaces: "START", "WP01" …, "TARGET"
  /// Speed through the water on the leg to the next waypoint [m s-1 or 1]; NaN at the end.
  double speed = std::numeric_limits<double>::quiet_NaN();
  /// True course of the leg to the next waypoint, at this one [degrees clockwise from north].
  std::optional<double> bearing;
  /// Speed of the route's flight on the leg to the next waypoint [m s-1 or 1].
  std::optional<double> speed_over_ground;
  /// For a vehicle with several dives: the dive of the leg to the next waypoint.
  std::optional<EnvironmentProfile> dive;
  /// nullopt if no flight reaches it or the forecast supports no probability.
  std::optional<ArrivalWindow> window;
};

/// The whole track of a flight.
struct RouteTrack {
  std::string name;                         ///< "realization 17", "nominal"
  std::optional<std::int32_t> realization;  ///< nullopt: the mean flow
  TrajectoryOutcome outcome = TrajectoryOutcome::arrived;
  std::vector<RoutePoint> points;  ///< one at least
  /// Names of the profiles dived from each point except the last; empty if there is no choice.
  std::vector<std::string> dives;
};

/// Cells that are closed, as a polygon.
struct RouteObstacle {
  /// Corners; the last one is joined to the first, which is not repeated.
  struct Ring {
    std::vector<PlanePoint> corners;
    std::vector<GeographicPoint> places;  ///< corners; empty if there are no longitudes
  };
  Ring outer;               ///< counter-clockwise in the plane
  std::vector<Ring> holes;  ///< clockwise in the plane
  /// True if the obstacle exists at all times; else it exists between `from` and `to`.
  bool is_standing = true;
  double from = 0;  ///< as RoutePoint::time
  double to = 0;
  std::optional<double> from_instant;
  std::optional<double> to_instant;
};

/// Results of the policy, and of following the waypoints without it, in the same realizations.
struct RouteCost {
  RolloutStatistics policy;
  RolloutStatistics waypoints;
  std::string note = {};  ///< uncertainty_note() of the forecast
};

/// The flight of a route.
enum class RouteChoice { median, nominal, realization };

/// A route made from a run, independent of file formats. Times, lengths and speeds are the
/// environment's: s, m, m s-1 if `units` is metric, else numbers without units.
struct Route {
  std::string name;         ///< name of the run's folder, not escaped, any UTF-8
  std::string description;  ///< one line: which flight of which mission
  std::string creator;      ///< "Tidewise 0.…"
  std::string mission;      ///< the mission (TOML)
  std::string time_units;   ///< units of times: "s", "seconds since 2024-10-28 00:00:00" or "1"
  Units units = Units::nondimensional;
  Objective objective = Objective::time;
  EnergyModel energy = {};
  RouteChoice choice = RouteChoice::median;

  RoutePoint start;          ///< with the time of departure
  RoutePoint target;         ///< with the arrival time of flights that follow the waypoints
  double target_radius = 0;  ///< [m or 1]; 0: the target is a cell
  /// Radius within which a waypoint counts as reached, except the target [m or 1].
  double capture_radius = 0;
  /// Radius within which the target counts as reached; half a cell if it is a cell [m or 1].
  double arrival_radius = 0;
  double vehicle_speed = 0;  ///< the vehicle's greatest, through the water [m s-1 or 1]
  /// Origin of formats with a local plane: the start.
  std::optional<GeographicPoint> origin;

  std::vector<RouteWaypoint> waypoints;  ///< two at least
  /// The waypoints come from the first one; those of an ensemble follow it.
  std::vector<RouteTrack> tracks;
  std::vector<RouteObstacle> obstacles;
  std::optional<RouteCost> cost;  ///< nullopt if nothing was flown
  /// Lines in ASCII for comments and descriptions: the cost of the waypoints compared with the
  /// policy, warnings first.
  std::vector<std::string> remarks;
};

}  // namespace tidewise
