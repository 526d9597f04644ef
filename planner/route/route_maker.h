#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "output/route/route.h"
#include "planner/route/flown_run.h"
#include "planner/route/route_places.h"

namespace tidewise {

enum class RouteTracks {
  chosen,   ///< the flight that the route is of alone
  ensemble  ///< all flights beside it, or so many of them
};

/// What is asked of a route. Lengths are the environment's [m or 1].
struct RouteRequest {
  std::string name = {};  ///< of the route; empty: that of the run's folder
  RouteChoice choice = RouteChoice::median;
  std::int32_t realization = 0;  ///< of RouteChoice::realization
  RouteTracks tracks = RouteTracks::chosen;
  std::int32_t most_tracks = 400;  ///< of an ensemble
  /// Waypoints to go to at most, the target among them and the start not; nothing: as many as the
  /// tolerance takes.
  std::optional<std::int32_t> waypoints;
  /// How far the flight may lie off the legs; nothing: half a cell, or as little as `waypoints`
  /// allows.
  std::optional<double> tolerance;
  /// Nothing: half a cell or a double of it up to a quarter of the way, whichever the vehicle does
  /// best with.
  std::optional<double> capture_radius;
};

/// Makes routes of a run's flights.
class RouteMaker {
 public:
  /// `run` must outlive it. Errors: those of reading the environment.
  explicit RouteMaker(const FlownRun& run);

  /// Chooses the flight, makes waypoints of it whose legs keep clear of what is closed while they
  /// are flown, and flies those through the realizations of the run. Errors: InputError for a
  /// flight that is not there or did not arrive, and for fewer waypoints than keep clear, with the
  /// fewest that do.
  Route make(const RouteRequest& request, Progress& progress) const;

 private:
  const Trajectory& choose(const RouteRequest& request) const;
  /// How many of the legs lead to the last place that the mission passes (mission.via).
  std::size_t choose_waypoints(const Trajectory& flight, const RouteRequest& request,
                               Route& route) const;
  /// Those to try.
  std::vector<double> capture_radii(const RouteRequest& request) const;
  void fly(const RouteRequest& request, std::size_t until_places, Route& route,
           Progress& progress) const;
  RouteTrack track_of(const Trajectory& flight) const;
  double time_of(const Trajectory& flight, std::size_t point) const;

  const FlownRun& run_;
  RoutePlaces places_;
  std::vector<RouteObstacle> obstacles_;
};

}  // namespace tidewise
