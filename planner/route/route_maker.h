#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "output/route/route.h"
#include "planner/route/flight_line.h"
#include "planner/route/flown_run.h"
#include "planner/route/route_places.h"
#include "solver/route/simplification.h"
#include "solver/route/waypoint_rollout.h"

namespace tidewise {

/// Flights whose tracks are added to a route.
enum class RouteTracks {
  chosen,   ///< only the flight of the route
  ensemble  ///< also all other flights, or some of them
};

/// The properties of a route. Lengths are in the environment's units [m or 1].
struct RouteRequest {
  std::string name = {};  ///< name of the route; empty: the name of the run's folder
  RouteChoice choice = RouteChoice::median;
  std::int32_t realization = 0;  ///< number for RouteChoice::realization
  RouteTracks tracks = RouteTracks::chosen;
  std::int32_t max_tracks = 400;  ///< maximum number of tracks of an ensemble
  /// Maximum number of waypoints, including the target but not the start; nullopt: as many as the
  /// tolerance requires.
  std::optional<std::int32_t> waypoints;
  /// Maximum if `waypoints` is not given, regardless of the tolerance; 0: no limit.
  std::int32_t usual_waypoints = 0;
  /// Maximum distance of the flight from the legs; nullopt: half a cell, or the smallest that
  /// `waypoints` allows.
  std::optional<double> tolerance;
  /// Radius at which a waypoint counts as reached; nullopt: half a cell, or its multiples by powers
  /// of two up to a quarter of the path, whichever gives the best flights.
  std::optional<double> capture_radius;
  /// Above 0 if the vehicle has one capture radius for all waypoints and the target: a whole number
  /// of metres, from this value to the target's radius.
  double min_common_radius = 0;
  /// True if a waypoint is set at each change of dive, up to `waypoints` or `usual_waypoints`.
  /// Otherwise a leg has the dive that takes most of its time.
  bool keeps_dives = false;
};

/// Makes routes of a run's flights.
class RouteMaker {
 public:
  /// `run` must outlive it. Errors: those of reading the environment.
  explicit RouteMaker(const FlownRun& run);

  /// Chooses the flight, makes waypoints whose legs avoid closed cells at the time of the flight,
  /// and flies them through the realizations of the run. Errors: InputError for a flight that does
  /// not exist or does not arrive, and for too few waypoints to avoid closed cells, with the
  /// required number.
  Route make(const RouteRequest& request, Progress& progress) const;

 private:
  const Trajectory& choose(const RouteRequest& request) const;
  /// Chooses the waypoints among the points of the flight's line.
  SimplifiedLine choose_waypoints(const FlightLine& line, const RouteRequest& request) const;
  /// Returns the chosen points as waypoints, with the legs between them. Their times are set later.
  std::vector<RouteWaypoint> waypoints_at(const FlightLine& line,
                                          const std::vector<std::size_t>& kept) const;
  /// Returns candidates for the capture radius.
  std::vector<double> capture_radii(const RouteRequest& request, double arrival_radius) const;
  /// Flies the waypoints, removes those, also from `kept`, that the vehicle has reached at its
  /// departure, and sets the times of the others.
  void fly(const RouteRequest& request, const FlightLine& line, const Trajectory& flight,
           std::vector<std::size_t>& kept, Route& route, Progress& progress) const;
  void set_arrivals(const WaypointFlights& flown, std::size_t dropped, Route& route) const;
  RouteTrack track_of(const Trajectory& flight) const;
  double time_of(const Trajectory& flight, std::size_t point) const;

  const FlownRun& run_;
  RoutePlaces places_;
  std::vector<RouteObstacle> obstacles_;
};

}  // namespace tidewise
