#include "support/route_samples.h"

#include <cmath>
#include <random>
#include <utility>

namespace tidewise::test {
namespace {

constexpr double departure = 1730203200;  // 2024-10-29T12:00:00Z
constexpr double metres_per_degree = 111195;

/// Returns a ring of these places. Its plane coordinates belong to no projection, because no format
/// uses them.
RouteObstacle::Ring ring_of(std::vector<GeographicPoint> places) {
  RouteObstacle::Ring ring;
  for (const GeographicPoint& place : places) {
    ring.corners.push_back(
        {place.longitude * metres_per_degree, place.latitude * metres_per_degree});
  }
  ring.places = std::move(places);
  return ring;
}

void put(RoutePoint& point, const GeographicPoint& place, double time) {
  point.x = place.longitude * metres_per_degree;
  point.y = place.latitude * metres_per_degree;
  point.place = place;
  point.time = time;
  point.instant = departure + time;
}

/// Returns a route through places at intervals of 1.5 hours, with a flight that passes all of them
/// and one that hits an obstacle midway.
Route route_through(const std::string& name, const std::vector<GeographicPoint>& places) {
  constexpr double step = 5400;  // [s]
  Route route;
  route.name = name;
  route.description = "the median flight of mission " + name;
  route.creator = "Tidewise 0.1.0";
  route.mission = "[vehicle]\nspeeds = [0.3, 0.5]\n";
  route.time_units = "seconds since 2024-10-29 12:00:00";
  route.units = Units::metric;
  route.target_radius = 2000;
  route.capture_radius = 500;
  route.arrival_radius = 2000;
  route.vehicle_speed = 0.5;
  route.origin = places.front();
  RouteTrack flight{"realization 17", 17, TrajectoryOutcome::arrived, {}, {}};
  for (std::size_t n = 0; n < places.size(); ++n) {
    const bool is_last = n + 1 == places.size();
    const double time = step * static_cast<double>(n);
    RouteWaypoint waypoint;
    put(waypoint, places[n], time);
    waypoint.name = n == 0 ? "START" : is_last ? "TARGET" : "WP" + std::to_string(n);
    if (!is_last) {
      waypoint.speed = n < 2 ? 0.5 : 0.3;
      waypoint.bearing = 300.25;
      waypoint.speed_over_ground = 0.625;
    }
    if (n > 0) {
      waypoint.window = ArrivalWindow{time - 600, time + 90061, waypoint.instant.value() - 600,
                                      waypoint.instant.value() + 90061, 0.975};
    }
    flight.points.push_back(waypoint);
    route.waypoints.push_back(std::move(waypoint));
  }
  route.start = route.waypoints.front();
  route.target = route.waypoints.back();
  RouteTrack failed{"realization 3", 3, TrajectoryOutcome::obstacle, flight.points, {}};
  failed.points.resize((failed.points.size() + 1) / 2);
  route.tracks = {flight, failed};
  route.remarks = {"flown by waypoints 96 % arrive, by the policy 99 %"};
  RouteCost results;
  results.policy.trajectories = results.waypoints.trajectories = 500;
  results.policy.arrival_rate = 0.99;
  results.waypoints.arrival_rate = 0.96;
  results.policy.time = {14000, 12000, 16000, 12500, 13900, 15500, 15800};
  results.waypoints.time = {14500, 12100, 17000, 12600, 14400, 16000, 16600};
  route.cost = results;
  return route;
}

void add_obstacle(Route& route, std::vector<GeographicPoint> outer,
                  std::vector<std::vector<GeographicPoint>> holes = {}) {
  RouteObstacle obstacle;
  obstacle.outer = ring_of(std::move(outer));
  for (auto& hole : holes) obstacle.holes.push_back(ring_of(std::move(hole)));
  route.obstacles.push_back(std::move(obstacle));
}

void add_moving_obstacle(Route& route, std::vector<GeographicPoint> outer) {
  add_obstacle(route, std::move(outer));
  RouteObstacle& obstacle = route.obstacles.back();
  obstacle.is_standing = false;
  obstacle.from = 3600;
  obstacle.to = 7200;
  obstacle.from_instant = departure + 3600;
  obstacle.to_instant = departure + 7200;
}

/// Returns a route across the 180th meridian, with an island whose lagoon crosses it, an island
/// whose lagoon does not, and a temporary closure.
Route date_line() {
  Route route = route_through("date_line", {{179.25, -16.5},
                                            {179.875, -16.25},
                                            {-179.75, -16.4},
                                            {179.99999999999, -16.6},
                                            {-179.5, -17.0}});
  add_obstacle(route, {{179.5, -18}, {-179.5, -18}, {-179.5, -17.5}, {179.5, -17.5}},
               {{{179.75, -17.875}, {179.75, -17.625}, {-179.75, -17.625}, {-179.75, -17.875}}});
  add_obstacle(route, {{179, -19}, {-179, -19}, {-179, -18.5}, {179, -18.5}},
               {{{179.25, -18.875}, {179.25, -18.625}, {179.5, -18.625}, {179.5, -18.875}}});
  add_moving_obstacle(route, {{179.9, -15}, {-179.9, -15}, {-179.9, -14.5}, {179.9, -14.5}});
  return route;
}

/// Returns a route around the North Pole, with an obstacle that contains the pole and one with a
/// hole around it.
Route pole() {
  Route route = route_through(
      "pole", {{-30, 86}, {-120, 87.5}, {179.99, 88.25}, {150.5, 89.5}, {60, 89.875}, {10, 86.5}});
  std::vector<GeographicPoint> ice;
  std::vector<GeographicPoint> inner;
  for (int n = 0; n < 12; ++n) {
    ice.push_back({-165.0 + 30 * n, 89.9});
    inner.push_back({165.0 - 30 * n, 89.95});
  }
  add_obstacle(route, ice);
  add_obstacle(route, ice, {inner});
  return route;
}

Route scattered() {
  std::vector<GeographicPoint> places{{0, 0},
                                      {180, 0},
                                      {-180, 0.5},
                                      {179.9999999999, -1},
                                      {-179.9999999999, -1},
                                      {540, 2},
                                      {-1e-9, -1e-9},
                                      {-0.00001, 0.00001},
                                      {44.99999999999, 44.99999999999},
                                      {-124.999999999, 59.99999999},
                                      {7.016666666, -0.0166666},
                                      {120, 89.9999999},
                                      {-60, -89.9999999}};
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> longitude(-180, 180);
  std::uniform_real_distribution<double> sine(-1, 1);
  while (places.size() < 300) {
    const double east = longitude(generator);
    places.push_back({east, std::asin(sine(generator)) * 180 / 3.141592653589793});
  }
  return route_through("scattered", places);
}

Route undated() {
  Route route = route_through("undated & <odd> \"\xc3\xa9t\xc3\xa9\"",
                              {{12.5, 40}, {12.75, 40.125}, {13, 40}});
  for (RouteWaypoint& waypoint : route.waypoints) {
    waypoint.instant.reset();
    if (waypoint.window) {
      waypoint.window->p05_instant.reset();
      waypoint.window->p95_instant.reset();
    }
  }
  for (RouteTrack& track : route.tracks) {
    for (RoutePoint& point : track.points) point.instant.reset();
  }
  route.start = route.waypoints.front();
  route.target = route.waypoints.back();
  return route;
}

}  // namespace

Route small_route() {
  Route route = route_through("washington", {{-124.5, 47.25}, {-124.75, 47.5}, {-125.5, 48}});
  add_obstacle(route, {{-124.25, 47}, {-124, 47}, {-124, 47.5}, {-124.25, 47.5}});
  add_moving_obstacle(route, {{-125, 47}, {-124.75, 47}, {-124.75, 47.125}, {-125, 47.125}});
  return route;
}

std::vector<Route> sample_routes() {
  return {small_route(),
          date_line(),
          pole(),
          route_through("greenwich", {{-0.75, -0.25}, {-0.0001, 0.25}, {0.5, -0.0001}, {1, 1}}),
          undated(),
          scattered()};
}

}  // namespace tidewise::test
