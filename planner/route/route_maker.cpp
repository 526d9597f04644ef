#include "planner/route/route_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/error.h"
#include "env/units/text.h"
#include "output/route/format.h"
#include "output/version.h"
#include "planner/error/codes.h"
#include "planner/mission/read/echo.h"
#include "planner/route/route_cost.h"
#include "planner/route/route_places.h"
#include "planner/run/path.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/route/mean_flight.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// The mission without paths of this computer, because routes are passed on.
std::string mission_without_folders(RunRequest request) {
  request.planner.threads.reset();
  request.environment = std::filesystem::path(request.environment).filename();
  request.output.directory = request.output.directory.filename();
  return to_toml(request);
}

/// Refuses a flight that fails, because its route would fail, too. Errors: InputError.
void require_arrival(const Trajectory& flight, const std::string& name) {
  if (flight.outcome == TrajectoryOutcome::arrived) return;
  throw input_error(errors::route_flight_fails, name, in_words(flight.outcome));
}

std::string name_of(const Trajectory& flight) {
  if (flight.realization == no_realization) return "the mean flow";
  return fmt::format("realization {}", flight.realization);
}

double half_a_cell(const Grid& grid) { return std::max(grid.dx, grid.dy) / 2; }

std::string length_in_words(double length, Units units) {
  if (units == Units::nondimensional) return fmt::format("{:.4g}", length);
  return length < 1000 ? fmt::format("{:.4g} m", length) : fmt::format("{:.4g} km", length / 1000);
}

/// Selects points of a flight's line as waypoints. Errors: InputError if the allowed number of
/// waypoints is too small.
SimplifiedLine simplify(const LineLegs& legs, const RouteRequest& request, const Grid& grid,
                        Units units) {
  // Half a cell is the accuracy of the flight: more waypoints would add nothing.
  SimplifiedLine line = legs.fewest(request.tolerance.value_or(half_a_cell(grid)));
  const std::int32_t requested = request.waypoints.value_or(request.usual_waypoints);
  const auto max = static_cast<std::size_t>(requested);
  if (requested == 0 || line.legs() <= max) return line;
  if (request.tolerance && request.waypoints) {
    const SimplifiedLine nearest = legs.nearest(max);
    const std::string remedy =
        nearest.kept.empty()
            ? ""
            : fmt::format(", or --tolerance {:.4g}", std::ceil(1000 * nearest.deviation) / 1000);
    throw input_error(errors::waypoints_too_few_for_tolerance, max,
                      length_in_words(*request.tolerance, units), line.legs(), line.legs(), remedy);
  }
  line = legs.nearest(max);
  if (!line.kept.empty()) return line;
  const std::size_t fewest = legs.fewest(std::numeric_limits<double>::infinity()).legs();
  throw input_error(errors::waypoints_too_few, max, fewest);
}

/// The lowest of the vehicle's speeds above 0; nullopt if it only drifts.
std::optional<double> min_speed(const std::vector<double>& speeds) {
  std::optional<double> min;
  for (const double speed : speeds) {
    if (speed > 0 && (!min || speed < *min)) min = speed;
  }
  return min;
}

/// The flights with the best mean total reward, which includes failure penalties; the first of
/// equals.
const WaypointFlights* best_of(const std::vector<WaypointFlights>& flown,
                               const EnvironmentInfo& info) {
  const WaypointFlights* best = nullptr;
  double max = 0;
  for (const WaypointFlights& flights : flown) {
    const double reward = summarize(flights.ends, RolloutMode::continuous, info).mean_total_reward;
    if (best != nullptr && !(reward > max)) continue;
    best = &flights;
    max = reward;
  }
  return best;
}

/// Describes the share of a flight's time in which legs have another dive than the flight, and the
/// number of changes of dive in both; empty if all dives are equal.
std::string describe_other_dives(const FlightLine& line, const Trajectory& flight,
                                 const std::vector<std::size_t>& kept) {
  double other_steps = 0;
  std::size_t leg_changes = 0;
  for (std::size_t n = 1; n < kept.size(); ++n) {
    other_steps += line.other_profiles(kept[n - 1], kept[n]);
    const bool changed =
        n > 1 && line.profile(kept[n - 1], kept[n]) != line.profile(kept[n - 2], kept[n - 1]);
    leg_changes += changed ? 1 : 0;
  }
  std::size_t flight_changes = 0;
  for (std::size_t n = 1; n < flight.profiles.size(); ++n) {
    flight_changes += flight.profiles[n] != flight.profiles[n - 1] ? 1 : 0;
  }
  const double total_steps = line.steps_to(kept.back()) - line.steps_to(kept.front());
  if (!(other_steps > 0 && total_steps > 0)) return {};
  return fmt::format(
      " and dives otherwise than they do {:.2g} % of its time (it changes its dive {}, they {})",
      100 * other_steps / total_steps, counted(flight_changes, "time"),
      counted(leg_changes, "time"));
}

std::string waypoint_name(std::size_t n, std::size_t last) {
  if (n == 0) return "START";
  return n == last ? "TARGET" : fmt::format("WP{:02}", n);
}

}  // namespace

RouteMaker::RouteMaker(const FlownRun& run) : run_(run), places_(run.run().environment()) {
  refuse_keeping(run.run(),
                 "routes go to a target; fly it by its policy (--format policy, rollout)");
  const Mission& mission = run.run().mission;
  double steps = 0;
  for (const Trajectory& flight : run.flights().trajectories) {
    steps = std::max(steps, flight.begun + flight.steps());
  }
  const TimeLevel end(std::min(
      mission.departure.value + static_cast<std::int32_t>(std::ceil(steps)), mission.last.value));
  obstacles_ = find_obstacles(run.run().environment(), mission.departure, end, places_);
}

double RouteMaker::time_of(const Trajectory& flight, std::size_t point) const {
  const TimeAxis& axis = run_.info().time;
  return axis.at(run_.run().mission.departure) + flight.steps_to(point) * axis.step;
}

const Trajectory& RouteMaker::choose(const RouteRequest& request) const {
  const auto& flights = run_.flights().trajectories;
  if (request.choice == RouteChoice::realization) {
    for (const Trajectory& flight : flights) {
      if (flight.realization != request.realization) continue;
      require_arrival(flight, name_of(flight));
      return flight;
    }
    throw input_error(errors::route_realization_not_flown, request.realization, flights.size(),
                      flights.front().realization, flights.back().realization);
  }
  const RolloutStatistics flown = summarize(run_.flights(), run_.info());
  if (!(flown.arrival_rate > 0)) {
    throw input_error(errors::route_without_arrivals, run_.folder().string(), flights.size());
  }
  // A quantile is the value of some flight.
  const Trajectory* median = nullptr;
  double min = 0;
  for (const Trajectory& flight : flights) {
    if (flight.outcome != TrajectoryOutcome::arrived) continue;
    const double difference = std::abs(flight.steps() * run_.info().time.step - flown.time.p50);
    if (median != nullptr && difference >= min) continue;
    median = &flight;
    min = difference;
  }
  return *median;
}

RouteTrack RouteMaker::track_of(const Trajectory& flight) const {
  RouteTrack track;
  track.name = flight.realization == no_realization ? "nominal" : name_of(flight);
  if (flight.realization != no_realization) track.realization = flight.realization;
  track.outcome = flight.outcome;
  for (std::size_t n = 0; n < flight.points.size(); ++n) {
    const TrajectoryPoint& point = flight.points[n];
    track.points.push_back(places_.at({point.x, point.y}, time_of(flight, n)));
  }
  for (const std::uint8_t dived : flight.profiles) {
    track.dives.push_back(profile_name(run_.info(), dived));
  }
  return track;
}

SimplifiedLine RouteMaker::choose_waypoints(const FlightLine& line,
                                            const RouteRequest& request) const {
  const EnvironmentInfo& info = run_.info();
  const auto legs = [&](bool keeps_dive) {
    return LineLegs(line.points(), [&, keeps_dive](std::size_t from, std::size_t to) {
      return (!keeps_dive || line.keeps_profile(from, to)) && line.keeps_places(from, to) &&
             line.is_clear(from, to);
    });
  };
  if (request.keeps_dives && info.velocities > 1) {
    const LineLegs single_dive_legs = legs(true);
    const std::int32_t max = request.waypoints.value_or(request.usual_waypoints);
    const std::size_t fewest =
        single_dive_legs.fewest(std::numeric_limits<double>::infinity()).legs();
    if (max == 0 || fewest <= static_cast<std::size_t>(max)) {
      return simplify(single_dive_legs, request, info.grid, info.units);
    }
    // Among lines with this number of waypoints and equal distance from the flight, choose the one
    // that keeps most of its dives.
    const LineLegs all_legs = legs(false);
    const double max_deviation =
        std::max(simplify(all_legs, request, info.grid, info.units).deviation,
                 request.tolerance.value_or(half_a_cell(info.grid)));
    return all_legs.cheapest(
        static_cast<std::size_t>(max), max_deviation,
        [&](std::size_t from, std::size_t to) { return line.other_profiles(from, to); });
  }
  return simplify(legs(false), request, info.grid, info.units);
}

std::vector<RouteWaypoint> RouteMaker::waypoints_at(const FlightLine& line,
                                                    const std::vector<std::size_t>& kept) const {
  const EnvironmentInfo& info = run_.info();
  const auto drifting = min_speed(run_.run().request.vehicle.through_water());
  const std::size_t last = kept.size() - 1;
  std::vector<RouteWaypoint> waypoints;
  for (std::size_t n = 0; n <= last; ++n) {
    const std::size_t point = kept[n];
    const PlanePoint& from = line.points()[point];
    RouteWaypoint& waypoint = waypoints.emplace_back();
    static_cast<RoutePoint&>(waypoint) = places_.at(from, std::nan(""));
    waypoint.instant.reset();
    waypoint.name = waypoint_name(n, last);
    if (n == last) break;
    const std::size_t next = kept[n + 1];
    const PlanePoint& to = line.points()[next];
    waypoint.speed = line.mean_speed(point, next);
    // A drifting vehicle would reach no waypoint.
    if (!(waypoint.speed > 0)) waypoint.speed = drifting.value_or(0);
    waypoint.bearing = places_.bearing(from, to);
    if (!info.profiles.empty()) {
      waypoint.dive = info.profiles[static_cast<std::size_t>(line.profile(point, next))];
    }
    const double duration = (line.steps_to(next) - line.steps_to(point)) * info.time.step;
    // The target is reached at its edge.
    const PlanePoint reached = line.flown_to(next);
    const double length = std::hypot(reached.x - from.x, reached.y - from.y);
    if (duration > 0) waypoint.speed_over_ground = length / duration;
  }
  return waypoints;
}

std::vector<double> RouteMaker::capture_radii(const RouteRequest& request,
                                              double arrival_radius) const {
  const bool has_common_radius = request.min_common_radius > 0;
  const auto to_common = [&](double radius) {
    return std::max(request.min_common_radius, std::round(radius));
  };
  const double max_common = to_common(arrival_radius);
  if (request.capture_radius) {
    const double radius = *request.capture_radius;
    if (!has_common_radius) return {radius};
    if (to_common(radius) <= max_common) return {to_common(radius)};
    throw input_error(errors::capture_radius_too_large, radius, arrival_radius, max_common);
  }
  const Mission& mission = run_.run().mission;
  const double path_length =
      std::hypot(mission.target_x - mission.start_x, mission.target_y - mission.start_y);
  constexpr std::size_t max_radii = 6;
  constexpr double max_share_of_path = 0.25;
  double max = max_share_of_path * path_length;
  // the via point is not passed if the vehicle turns off farther away
  for (const ViaPlace& via : mission.via) {
    constexpr double pi = 3.14159265358979;
    const Grid& grid = run_.info().grid;
    max = std::min(max, std::sqrt(double(via.cells.size()) * grid.dx * grid.dy / pi));
  }
  std::vector<double> radii{half_a_cell(run_.info().grid)};
  while (radii.size() < max_radii && 2 * radii.back() <= max) {
    radii.push_back(2 * radii.back());
  }
  if (!has_common_radius) return radii;
  for (double& radius : radii) radius = std::min(to_common(radius), max_common);
  if (radii.back() < max_common && max_common <= max) radii.push_back(max_common);
  radii.erase(std::unique(radii.begin(), radii.end()), radii.end());
  return radii;
}

void RouteMaker::fly(const RouteRequest& request, const FlightLine& line, const Trajectory& flight,
                     std::vector<std::size_t>& kept, Route& route, Progress& progress) const {
  const MissionProblem& run = run_.run();
  const EnvironmentInfo& info = run_.info();
  route.waypoints = waypoints_at(line, kept);
  std::vector<WaypointAim> aims;
  for (std::size_t n = 1; n < route.waypoints.size(); ++n) {
    const RouteWaypoint& to = route.waypoints[n];
    aims.push_back(
        {{to.x, to.y}, route.waypoints[n - 1].speed, line.profile(kept[n - 1], kept[n])});
  }
  const std::size_t until_via =
      flight.passed.empty() ? 0
                            : static_cast<std::size_t>(
                                  std::lower_bound(kept.begin(), kept.end(),
                                                   static_cast<std::size_t>(flight.passed.back())) -
                                  kept.begin());
  RolloutOptions options = run.rollout;
  options.realizations = run_.realizations();
  const auto tried = fly_waypoints(run.environment(), run.mission, aims, until_via,
                                   capture_radii(request, route.arrival_radius), options, progress);
  const WaypointFlights& flown = *best_of(tried, info);
  route.capture_radius = flown.capture_radius;
  route.cost = {summarize(run_.flights(), info),
                summarize(flown.ends, RolloutMode::continuous, info),
                uncertainty_note(info.uncertainty)};
  // Waypoints within reach of the start are reached at the departure: the flights are the same
  // without them.
  const RouteWaypoint& start = route.waypoints.front();
  std::size_t dropped = 0;
  while (dropped + 1 < aims.size() &&
         std::hypot(aims[dropped].place.x - start.x, aims[dropped].place.y - start.y) <=
             flown.capture_radius) {
    ++dropped;
  }
  // Charts draw the first leg, which must therefore avoid closed cells.
  while (dropped > 0 && !line.is_clear(kept[0], kept[dropped + 1])) --dropped;
  if (dropped > 0) {
    const auto dive = route.waypoints[dropped].dive;
    kept.erase(kept.begin() + 1, kept.begin() + 1 + static_cast<std::ptrdiff_t>(dropped));
    route.waypoints = waypoints_at(line, kept);
    route.waypoints.front().speed = aims[dropped].speed;  // the speed of the flights
    route.waypoints.front().dive = dive;
  }
  set_arrivals(flown, dropped, route);
}

void RouteMaker::set_arrivals(const WaypointFlights& flown, std::size_t dropped,
                              Route& route) const {
  const EnvironmentInfo& info = run_.info();
  const double departure = departure_time(info.time, run_.run().mission);
  const std::size_t flights = flown.ends.size();
  const std::size_t aims = flown.reached.size() / flights;
  const auto passed = [&](std::size_t flight, std::size_t aim) {
    return flown.passed[flight * aims + aim];
  };
  const auto any_flight_at = [&](std::size_t aim) {
    for (std::size_t flight = 0; flight < flights; ++flight) {
      if (!std::isnan(passed(flight, aim))) return true;
    }
    return false;
  };
  // Times are those of flights that pass all waypoints, or as many as any flight passes. With all
  // flights that reach each waypoint, a later waypoint could have an earlier time, because slow
  // flights do not reach it.
  std::size_t farthest = aims;
  while (farthest > 0 && !any_flight_at(farthest - 1)) --farthest;
  route.waypoints.front().time = departure;
  route.waypoints.front().instant = places_.instant(departure);
  for (std::size_t aim = dropped; aim < farthest; ++aim) {
    std::vector<double> times;
    std::vector<double> share;
    for (std::size_t flight = 0; flight < flights; ++flight) {
      const double time = passed(flight, aim);
      share.push_back(std::isnan(time) ? 0 : 1);
      // A flight that enters the target on the path to a waypoint need not reach it.
      const double end = passed(flight, farthest - 1);
      times.push_back(std::isnan(end) || !std::isnan(time) ? time + 0 * end : end);
    }
    const Spread spread = spread_over(flown.ends, times, RolloutMode::continuous, info);
    if (!any_flight_at(aim) || !std::isfinite(spread.mean)) continue;
    ArrivalWindow window{departure + spread.p05, departure + spread.p95, {}, {}, 0};
    window.p05_instant = places_.instant(window.p05);
    window.p95_instant = places_.instant(window.p95);
    window.share = spread_over(flown.ends, share, RolloutMode::continuous, info).mean;
    RouteWaypoint& waypoint = route.waypoints[aim - dropped + 1];
    waypoint.time = departure + spread.p50;
    waypoint.instant = places_.instant(waypoint.time);
    if (supports_probability(info.uncertainty)) waypoint.window = window;
  }
}

Route RouteMaker::make(const RouteRequest& request, Progress& progress) const {
  const MissionProblem& run = run_.run();
  const EnvironmentInfo& info = run_.info();
  const Mission& mission = run.mission;
  std::optional<Trajectory> nominal;
  if (request.choice == RouteChoice::nominal) {
    nominal = fly_through_mean(run.environment(), run.planning_problem(), run_.policy(), progress);
    require_arrival(*nominal, name_of(*nominal));
  }
  const Trajectory& flight = nominal ? *nominal : choose(request);
  if (flight.points.size() < 2) {
    throw input_error(errors::route_start_in_target, run_.folder().string());
  }
  Route route;
  route.name = request.name.empty() ? name_of_folder(run_.folder()) : request.name;
  route.creator = fmt::format("Tidewise {}", version());
  route.mission = mission_without_folders(run.request);
  route.time_units = info.time_units;
  route.units = info.units;
  route.objective = mission.objective;
  route.energy = mission.energy;
  route.choice = request.choice;
  route.start = places_.at({mission.start_x, mission.start_y}, time_of(flight, 0));
  route.target_radius = mission.disc.radius;
  route.arrival_radius =
      mission.disc.radius > 0 ? mission.disc.radius : half_a_cell(run_.info().grid);
  const auto& speeds = run.request.vehicle.through_water();
  route.vehicle_speed = *std::max_element(speeds.begin(), speeds.end());
  route.origin = route.start.place;
  const FlightLine line(run.environment(), mission, flight);
  SimplifiedLine chosen = choose_waypoints(line, request);
  const std::size_t all = chosen.legs();
  const std::string other_dives = describe_other_dives(line, flight, chosen.kept);
  fly(request, line, flight, chosen.kept, route, progress);
  route.target = route.waypoints.back();
  const std::size_t dropped = all - chosen.legs();
  route.description = fmt::format(
      "{} of the {}flight of {}, whose track stays within {} of their legs{}{}; capture radius {}",
      counted(chosen.legs(), "waypoint"), request.choice == RouteChoice::median ? "median " : "",
      name_of(flight), length_in_words(chosen.deviation, info.units), other_dives,
      dropped == 0 ? ""
                   : fmt::format("; {} left out as the start is within {} capture radius",
                                 counted(dropped, "more waypoint"), dropped == 1 ? "its" : "their"),
      length_in_words(route.capture_radius, info.units));
  route.remarks = route_cost_remarks(route);
  route.obstacles = obstacles_;
  route.tracks.push_back(track_of(flight));
  if (request.tracks == RouteTracks::ensemble) {
    const auto& flights = run_.flights().trajectories;
    const std::size_t max = std::min(flights.size(), static_cast<std::size_t>(request.max_tracks));
    for (std::size_t n = 0; n < max; ++n) {
      const Trajectory& other = flights[n * flights.size() / max];
      if (other.realization != flight.realization) route.tracks.push_back(track_of(other));
    }
    route.description += fmt::format("; also {} of {} flights", max, flights.size());
  }
  return route;
}

}  // namespace tidewise
