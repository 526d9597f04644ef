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
  /// [degrees], longitude −180 … 180; there where the environment has longitudes.
  std::optional<GeographicPoint> place;
  /// The environment's [s or 1]; NaN for a waypoint that no flight by waypoints reaches.
  double time = 0;
  std::optional<double> instant;  ///< [s since 1970, UTC]; there where those have a date
};

/// Times at which flights that follow the waypoints pass a waypoint's point: of the flights that
/// arrive, or if none does, of those that get farthest; weighted by realization.
struct ArrivalWindow {
  double p05 = 0;  ///< time as in RoutePoint
  double p95 = 0;
  std::optional<double> p05_instant;
  std::optional<double> p95_instant;
  double share = 0;  ///< share of all flights that reach it
};

/// A point to go to, when vehicles that follow the waypoints pass it (the median of those of the
/// window; of the target, when they would be at its point), and the leg from it to the next. The
/// first one is the start, where the vehicle is already (not among what --waypoints counts); the
/// last one is the target, and has no leg.
struct RouteWaypoint : RoutePoint {
  std::string name;  ///< unique in the route, ASCII without spaces: "START", "WP01" …, "TARGET"
  /// Through the water on the leg to the next [m s-1 or 1]; NaN at the end.
  double speed = std::numeric_limits<double>::quiet_NaN();
  /// True course of the leg to the next where it leaves this point [degrees clockwise from north].
  std::optional<double> bearing;
  /// Speed of the route's flight on the leg to the next waypoint [m s-1 or 1].
  std::optional<double> speed_over_ground;
  /// For a vehicle with several dives: the dive of the leg to the next waypoint.
  std::optional<EnvironmentProfile> dive;
  /// Not there where no flight reaches it, or the forecast supports no probability.
  std::optional<ArrivalWindow> window;
};

/// A flight in full.
struct RouteTrack {
  std::string name;                         ///< "realization 17", "nominal"
  std::optional<std::int32_t> realization;  ///< nothing: through the mean flow
  TrajectoryOutcome outcome = TrajectoryOutcome::arrived;
  std::vector<RoutePoint> points;  ///< one at least
  /// Names of what is dived from each point on but the last; empty if there is no choice.
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
  /// Standing obstacles are there all the time; the others from one time to another.
  bool is_standing = true;
  double from = 0;  ///< as RoutePoint::time
  double to = 0;
  std::optional<double> from_instant;
  std::optional<double> to_instant;
};

/// Results of following the waypoints without the policy, in the same realizations.
struct RouteWorth {
  RolloutStatistics policy;
  RolloutStatistics waypoints;
  std::string note = {};  ///< uncertainty_note() of the forecast
};

/// The flight of a route.
enum class RouteChoice { median, nominal, realization };

/// A route made of a run, in no file's format. Times, lengths and speeds are the environment's: s,
/// m, m s-1 where `units` is metric, else numbers without units.
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
  /// Within which a waypoint counts as reached, the target not [m or 1].
  double capture_radius = 0;
  /// Within which the target does: its radius, or half a cell where it is one [m or 1].
  double arrival_radius = 0;
  double vehicle_speed = 0;  ///< the vehicle's greatest, through the water [m s-1 or 1]
  /// For formats with a local plane: the start's place.
  std::optional<GeographicPoint> origin;

  std::vector<RouteWaypoint> waypoints;  ///< two at least
  /// The first one is that which the waypoints are of; an ensemble's follow it.
  std::vector<RouteTrack> tracks;
  std::vector<RouteObstacle> obstacles;
  std::optional<RouteWorth> worth;  ///< nullopt if nothing was flown
  /// Lines in ASCII for comments and descriptions: the cost of the waypoints compared with the
  /// policy, warnings first.
  std::vector<std::string> remarks;
};

}  // namespace tidewise
