#include "planner/mission/resolve/resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "env/areas/polygon_interior.h"
#include "env/mask.h"
#include "env/units/angle.h"
#include "planner/error/codes.h"
#include "planner/mission/read/formats.h"
#include "planner/mission/resolve/followed_track.h"
#include "planner/mission/resolve/resolved_places.h"
#include "planner/mission/resolve/resolved_times.h"
#include "solver/step/reward.h"
#include "solver/step/target_circles.h"

namespace tidewise {
namespace {

/// Returns the maximum cost of a path from level 0 to the last level. It starts at level 0 because
/// one policy serves all departures.
double costliest_path(const Mission& mission, const std::vector<Action>& actions, double step) {
  return mission.last.value * costliest_step(mission, actions, step);
}

/// The default lateness penalty, at the target: five costliest paths, in the same ratio as -1000
/// to the 200 steps of the published problem. A late arrival is then worth more than none, even if
/// its probability is only one in five. Single precision resolves a 10000th of a step after
/// thousands of steps, which suffices.
double default_late(const Mission& mission, const std::vector<Action>& actions, double step) {
  constexpr double min = 1000;
  constexpr double costliest_paths = 5;
  return 2 * std::min<double>(mission.arrival_reward, 0) -
         std::max(min, costliest_paths * costliest_path(mission, actions, step));
}

/// `what`: the name of the list's entries in messages.
void require_each_profile(const RunRequest& request, const char* key, const char* what,
                          const std::vector<double>& list) {
  const std::size_t names = request.vehicle.profiles.size();
  if (list.size() == names) return;
  throw input_error(errors::profile_list_length, request.place(key), key, list.size(), what, names);
}

/// Returns the power of dives (profile); empty if dives have no power of their own.
std::vector<double> resolve_profile_power(const RunRequest& request) {
  const auto& power = request.vehicle.profile_power;
  if (!power) return {};
  require_each_profile(request, "vehicle.profile_power", "numbers", *power);
  return *power;
}

/// Cost of a unit of length in still water at the cheapest speed; 0 for a vehicle that only drifts.
double cost_of_length(const Mission& mission, const std::vector<Action>& actions, double step) {
  constexpr double none = std::numeric_limits<double>::infinity();
  double min = none;
  for (const Action& action : actions) {
    if (!(action.speed > 0)) continue;
    const double cost_of_time =
        mission.objective == Objective::arrival
            ? arrival_haste / step
            : -exact_action_reward(mission.objective, mission.energy_on(action.profile),
                                   action.speed, 1);
    min = std::min(min, cost_of_time / action.speed);
  }
  return min < none ? min : 0;
}

class Resolver {
 public:
  Resolver(const RunRequest& request, const EnvironmentReader& environment)
      : request_(request), environment_(environment), info_(environment.info()) {}

  ResolvedMission resolve() const {
    const RunRequest::Goal& goal = request_.goal;
    ResolvedMission resolved;
    Mission& mission = resolved.mission;
    mission.objective = goal.objective;
    mission.energy = goal.energy;
    if (keeps(goal.objective)) mission.energy.c_r = 1;  // g is not an energy and is not scaled
    mission.battery = request_.vehicle.battery;
    mission.error = vehicle_error(request_);
    mission.arrival_reward = arrival_reward(goal);
    refuse_arrival_keys();
    const ResolvedTimes times = resolve_times(request_, environment_, resolved.notes);
    mission.departure = times.departure;
    mission.begun = times.begun;
    mission.last = times.last;
    mission.decisions = {times.decide_every, times.departure};
    require_scalar();
    const AreaResolver areas(request_, environment_);
    const ResolvedPlace start = resolve_place(request_, "start", goal.start, areas, info_);
    const bool follows = goal.objective == Objective::follow;
    const ResolvedPlace target = follows
                                     ? resolve_follow(areas, resolved)
                                     : resolve_place(request_, "target", goal.target, areas, info_);
    if (!follows) resolve_target(target, mission);
    resolved.targets = target.points;
    resolve_via(areas, resolved);
    resolved.starts = open_starts(start, mission, resolved.notes);
    resolved.start_from(info_.grid, resolved.starts.front());
    if (!follows) refuse_closed_target(target, mission);
    note_idle_zones(resolved.notes);
    note_across_180(resolved.notes);
    refuse_closed_via(mission);
    resolved.actions = resolve_actions(request_, info_);
    mission.profile_power = resolve_profile_power(request_);
    mission.energy.dive =
        mission.profile_power.empty() ? 0 : std::numeric_limits<double>::quiet_NaN();
    resolved.rule = resolve_rule(request_, info_);
    mission.failure = failure_prices(goal, mission, resolved.actions);
    resolve_margin(mission);
    refuse_large_rewards(mission, resolved.rule);
    if (goal.objective == Objective::stay) keep_to_target(mission);
    return resolved;
  }

  /// Requires an objective that keeps().
  KeptPlace kept_place() const {
    const AreaResolver areas(request_, environment_);
    if (request_.goal.objective == Objective::follow) {
      return resolve_followed(request_, environment_, areas).place;
    }
    Mission mission;
    resolve_target(resolve_place(request_, "target", request_.goal.target, areas, info_), mission);
    return {mission.target, mission.disc};
  }

 private:
  static float arrival_reward(const RunRequest::Goal& goal) {
    if (keeps(goal.objective)) return 0;
    return goal.objective == Objective::arrival ? 1.0F : static_cast<float>(goal.arrival_reward);
  }

  /// Lets the mission earn rewards in the target instead of ending there.
  static void keep_to_target(Mission& mission) {
    mission.kept = {mission.target, mission.disc};
    std::fill(mission.target.begin(), mission.target.end(), std::uint8_t{0});
    mission.disc = TargetDisc();
  }

  /// Returns the place that replaces a target: the position of a moving point at the departure, or
  /// all vertices of a line.
  ResolvedPlace resolve_follow(const AreaResolver& areas, ResolvedMission& resolved) const {
    Mission& mission = resolved.mission;
    Followed followed = resolve_followed(request_, environment_, areas,
                                         FollowedLevels{mission.departure, mission.last});
    mission.kept = std::move(followed.place);
    resolved.followed = std::move(followed.file);
    mission.target.assign(static_cast<std::size_t>(info_.grid.cell_count()), 0);
    const KeptPlace& place = *mission.kept;
    if (!place.line.empty()) return {"mission.follow", place.line, {}};
    return {"mission.follow", {place.track[static_cast<std::size_t>(mission.departure.value)]}, {}};
  }

  /// Refuses keys that have no meaning for station keeping.
  void refuse_arrival_keys() const {
    const RunRequest::Goal& goal = request_.goal;
    if (!keeps(goal.objective)) return;
    const auto refuse_key = [&](const char* key, bool is_set, const char* why) {
      if (!is_set) return;
      throw input_error(errors::key_not_of_objective, request_.place(key), key,
                        fmt::format("{} {}", to_string(goal.objective), why));
    };
    refuse_key("mission.via", !goal.via.empty(), "has no via points");
    refuse_key("vehicle.battery", request_.vehicle.battery.has_value(),
               "does not count its charge");
    refuse_key("rollout.deadlines", !request_.rollout.deadlines.empty(), "has no arrivals");
    for (const std::string& name : request_.output.formats) {
      refuse_key("output.formats", name != run_format && name != board_format,
                 "goes nowhere that a route could lead");
    }
  }

  [[noreturn]] void refuse(std::string_view key, const std::string& why) const {
    throw InputError(fmt::format("{}: {} {}", request_.place(key), key, why));
  }

  std::string environment_name() const { return environment_.path().string(); }

  void require_scalar() const {
    if (request_.goal.objective != Objective::net_energy || info_.has_scalar) return;
    refuse("mission.objective", error_text(errors::scalar_field_missing, environment_name(),
                                           environment_.names().scalar_mean));
  }

  void resolve_margin(Mission& mission) const {
    const double margin = request_.planner.margin;
    const Grid& grid = info_.grid;
    const double width = std::min(grid.nx * grid.dx, grid.ny * grid.dy);
    if (margin >= width / 2) {
      refuse("planner.margin", error_text(errors::margin_too_wide, margin, environment_name(),
                                          width, std::max(grid.dx, grid.dy)));
    }
    mission.margin = margin;
  }

  /// Resolves the target. Points have discs. Areas, and more points than can have discs, have
  /// cells, and circles around these cells for the cost of lateness.
  void resolve_target(const ResolvedPlace& target, Mission& mission) const {
    const Grid& grid = info_.grid;
    const std::optional<double>& requested = request_.goal.target_radius;
    if (!request_.goal.target.polygons.empty()) {
      if (requested.value_or(0) > 0) {
        refuse("mission.target_radius",
               error_text(errors::target_radius_with_area, *requested, target.key));
      }
      mission.target = place_plane(grid, target.cells);
      mission.disc = target_circles(grid, mission.target);
      refuse_whole_target(target, mission);
      return;
    }
    const PlanePoint& first = target.points.front();
    const double radius = requested.value_or(default_radius(target));
    if (target.points.size() == 1) {
      refuse_large_target(first, radius);
      mission.target = target_cells(grid, first.x, first.y, radius);
      mission.disc = target_disc(grid, first.x, first.y, radius);
      return;
    }
    if (radius > 0 && target.points.size() > max_target_circles) {
      refuse("mission.target_radius",
             error_text(errors::target_circles_too_many, radius, target.key, target.points.size(),
                        max_target_circles));
    }
    mission.target.assign(static_cast<std::size_t>(grid.cell_count()), 0);
    std::vector<TargetDisc> discs;
    for (const PlanePoint& point : target.points) {
      const auto cells = target_cells(grid, point.x, point.y, radius);
      for (std::size_t cell = 0; cell < cells.size(); ++cell) mission.target[cell] |= cells[cell];
      discs.push_back(target_disc(grid, point.x, point.y, radius));
    }
    mission.disc = discs.size() <= max_target_circles ? join_discs(discs)
                                                      : target_circles(grid, mission.target);
    refuse_whole_target(target, mission);
  }

  /// Resolves via points: each has cells, and circles around these cells for the cost of lateness.
  void resolve_via(const AreaResolver& areas, ResolvedMission& resolved) const {
    const Grid& grid = info_.grid;
    Mission& mission = resolved.mission;
    for (const ViaPoint& point : request_.goal.via) {
      const ResolvedPlace place = resolve_place(request_, "via", point.place, areas, info_);
      std::vector<std::uint8_t> inside = place_plane(grid, place.cells);
      if (point.radius > 0) {
        for (const PlanePoint& centre : place.points) {
          const auto cells = target_cells(grid, centre.x, centre.y, point.radius);
          for (std::size_t cell = 0; cell < cells.size(); ++cell) inside[cell] |= cells[cell];
        }
      }
      ViaPlace via;
      via.cells = place_cells(inside);
      via.circles = target_circles(grid, inside);
      mission.via.push_back(std::move(via));
      resolved.via.push_back(place.points);
    }
    sum_remaining_paths(mission);
    refuse_via_in_target(mission);
  }

  /// Remaining path from each via point, measured from its cell that is farthest from the next one.
  /// A vehicle then gains nothing by waiting at a via point.
  void sum_remaining_paths(Mission& mission) const {
    const TargetDisc* next = &mission.disc;
    double rest = 0;
    for (auto via = mission.via.rbegin(); via != mission.via.rend(); ++via) {
      double farthest = 0;
      for (const std::int32_t cell : via->cells) {
        const CellIndex index(cell);
        farthest = std::max(
            farthest, next->distance(info_.grid, info_.grid.column(index), info_.grid.row(index)));
      }
      rest += farthest;
      via->rest = rest;
      next = &via->circles;
    }
  }

  void refuse_via_in_target(const Mission& mission) const {
    if (mission.via.empty()) return;
    for (const std::int32_t cell : mission.via.back().cells) {
      if (mission.target[static_cast<std::size_t>(cell)] == 0) continue;
      refuse("mission.via", error_text(errors::via_within_target, mission.via.size()));
    }
  }

  /// A place that is open at no level from the departure on can never be passed.
  void refuse_closed_via(const Mission& mission) const {
    for (std::size_t n = 0; n < mission.via.size(); ++n) {
      if (is_ever_open(mission, mission.via[n].cells)) continue;
      refuse("mission.via",
             error_text(errors::via_closed, n + 1, environment_name(), closing_causes()));
    }
  }

  /// True if one of these cells is open at a level of the mission.
  bool is_ever_open(const Mission& mission, const std::vector<std::int32_t>& cells) const {
    const TimeLevel first = mission.departure;
    const TimeLevel last = info_.obstacles == Obstacles::moving ? mission.last : first;
    for (std::int32_t k = first.value; k <= last.value; ++k) {
      const auto masked = environment_.read_masked(TimeLevel(k));
      const auto is_open = [&](std::int32_t cell) {
        return masked[static_cast<std::size_t>(cell)] == 0;
      };
      if (std::any_of(cells.begin(), cells.end(), is_open)) return true;
    }
    return false;
  }

  std::string closing_causes() const {
    return request_.goal.no_go.empty() ? "land or an obstacle"
                                       : "land, an obstacle or a zone of mission.no_go";
  }

  void refuse_whole_target(const ResolvedPlace& target, const Mission& mission) const {
    if (std::count(mission.target.begin(), mission.target.end(), 0) > 0) return;
    refuse(target.key,
           error_text(errors::target_covers_environment, environment_name(), why_too_large()));
  }

  CellIndex cell_of(const PlanePoint& point) const {
    return info_.grid.cell(info_.grid.column_at(point.x), info_.grid.row_at(point.y));
  }

  /// Returns the starts in open water at the departure. Errors: InputError if there are none.
  std::vector<PlanePoint> open_starts(const ResolvedPlace& start, const Mission& mission,
                                      std::vector<std::string>& notes) const {
    const auto masked = environment_.read_masked(mission.departure);
    std::vector<PlanePoint> open;
    for (const PlanePoint& point : start.points) {
      if (masked[static_cast<std::size_t>(cell_of(point).value)] == 0) open.push_back(point);
    }
    if (open.empty()) refuse_closed_start(start, mission);
    const bool by_points = request_.goal.start.polygons.empty();
    if (by_points && open.size() < start.points.size()) {
      notes.push_back(
          fmt::format("{} of the {} points of {} are closed at the departure, level "
                      "{}, and are left out",
                      start.points.size() - open.size(), start.points.size(), start.key,
                      mission.departure.value));
    }
    return open;
  }

  [[noreturn]] void refuse_closed_start(const ResolvedPlace& start, const Mission& mission) const {
    const auto masked = environment_.read_masked(mission.departure);
    const bool is_without_data =
        std::all_of(start.points.begin(), start.points.end(), [&](const PlanePoint& point) {
          return masked[static_cast<std::size_t>(cell_of(point).value)] == beyond_forecast;
        });
    const std::string cause =
        is_without_data ? "the forecast's source has no data there" : closing_causes();
    const Position& requested = request_.goal.start;
    if (start.points.size() > 1) {
      refuse(start.key, error_text(errors::start_disc_closed, describe_place(requested, start),
                                   environment_name(), mission.departure.value, cause));
    }
    const CellIndex cell = cell_of(start.points.front());
    refuse(start.key,
           error_text(errors::start_closed, describe_place(requested, start), info_.grid.row(cell),
                      info_.grid.column(cell), environment_name(), mission.departure.value, cause));
  }

  /// Reports zones that close nothing, because of a mistake in degrees or because they belong to
  /// another day.
  void note_idle_zones(std::vector<std::string>& notes) const {
    const auto& closures = environment_.closures();
    for (std::size_t n = 0; n < closures.size(); ++n) {
      if (closures[n].cells.empty()) {
        notes.push_back(
            fmt::format("zone {} of mission.no_go lies outside the domain and closes "
                        "nothing",
                        n + 1));
      } else if (closures[n].first_level >= closures[n].end_level) {
        notes.push_back(
            fmt::format("zone {} of mission.no_go is closed before the first level or "
                        "only after the last, and closes nothing",
                        n + 1));
      }
    }
  }

  /// Reports polygons across 180 degrees, which may be meant to cover the rest of the globe.
  void note_across_180(std::vector<std::string>& notes) const {
    const auto note = [&](const char* key, Position::Frame frame,
                          const std::vector<Polygon>& polygons) {
      if (frame != Position::Frame::geographic) return;
      const std::string text = describe_across_180(polygons);
      if (!text.empty()) notes.push_back(fmt::format("{}: {}", key, text));
    };
    const RunRequest::Goal& goal = request_.goal;
    note("mission.start", goal.start.frame, goal.start.polygons);
    note("mission.target", goal.target.frame, goal.target.polygons);
    for (const ViaPoint& via : goal.via) note("mission.via", via.place.frame, via.place.polygons);
    for (const NoGoZone& zone : goal.no_go) note("mission.no_go", zone.frame, zone.polygons);
  }

  /// Returns the default radius of a target: the width of a cell. The model does not resolve
  /// positions within a cell, so that a plan and its flights would end at different times in a
  /// smaller target. 0 if the target could have no disc, or if all cells would lie in it.
  double default_radius(const ResolvedPlace& target) const {
    const double width = std::max(info_.grid.dx, info_.grid.dy);
    if (target.points.size() > max_target_circles) return 0;
    for (const PlanePoint& point : target.points) {
      if (width >= farthest_from(target_disc(info_.grid, point.x, point.y, 0))) return 0;
    }
    return width;
  }

  const char* why_too_large() const {
    return keeps(request_.goal.objective) ? "nothing would ever be outside of it"
                                          : "every start would have arrived";
  }

  /// Refuses a target that contains every possible start.
  void refuse_large_target(const PlanePoint& target, double radius) const {
    const double farthest = farthest_from(target_disc(info_.grid, target.x, target.y, 0));
    if (radius == 0 || radius < farthest) return;
    refuse("mission.target_radius", error_text(errors::target_radius_covers_environment, radius,
                                               environment_name(), farthest, why_too_large()));
  }

  /// Returns the greatest distance of a cell from the target [m or 1]. For several circles it is
  /// the minimum over the circles, which is an upper bound of the distance from the nearest.
  double farthest_from(const TargetDisc& disc) const {
    double farthest = std::numeric_limits<double>::infinity();
    for (std::int32_t n = 0; n < disc.circle_count; ++n) {
      TargetDisc circle;
      circle.circle[0] = disc.circle[n];
      farthest = std::min(farthest, farthest_corner(circle));
    }
    return farthest;
  }

  /// Returns the length of the longest remaining path from a cell through the via points [m or 1].
  double longest_remaining_path(const Mission& mission) const {
    double farthest = farthest_from(mission.disc);
    for (const ViaPlace& via : mission.via) {
      farthest = std::max(farthest, farthest_from(via.circles) + via.rest);
    }
    return farthest;
  }

  double farthest_corner(const TargetDisc& circle) const {
    double farthest = 0;
    for (const std::int32_t column : {0, info_.grid.nx - 1}) {
      for (const std::int32_t row : {0, info_.grid.ny - 1}) {
        farthest = std::max(farthest, circle.distance(info_.grid, column, row));
      }
    }
    return farthest;
  }

  /// Returns the failure penalties. By default, lateness costs default_late() plus the cost of the
  /// remaining path in still water. An obstacle and the border cost twice the lateness penalty at
  /// the farthest cell, so that grounding is never cheaper than the path.
  FailurePenalties failure_prices(const RunRequest::Goal& goal, const Mission& mission,
                                  const std::vector<Action>& actions) const {
    if (goal.objective == Objective::arrival) return prices_of_arrival(mission, actions);
    if (keeps(goal.objective)) return prices_of_keeping(goal, mission);
    if (goal.failure_penalty) {
      const auto penalty = static_cast<float>(*goal.failure_penalty);
      return {penalty, penalty, penalty, 0};
    }
    const double by_costs = default_late(mission, actions, info_.time.step);
    const double late = goal.failure.late.value_or(by_costs);
    FailurePenalties prices;
    prices.late_per_length = cost_of_length(mission, actions, info_.time.step);
    const double farthest = prices.late_per_length * longest_remaining_path(mission);
    const double stranded = 2 * (std::min(late, by_costs) - farthest);
    prices.late = static_cast<float>(late);
    prices.obstacle = static_cast<float>(goal.failure.obstacle.value_or(stranded));
    prices.outside = static_cast<float>(goal.failure.outside.value_or(stranded));
    return prices;
  }

  /// The value of failure is about 0 and of arrival 1. Differences between failures are as small as
  /// those between arrivals. A late vehicle continues toward the target, and grounding is never
  /// cheaper than the path.
  FailurePenalties prices_of_arrival(const Mission& mission,
                                     const std::vector<Action>& actions) const {
    FailurePenalties prices;
    prices.late = 0;
    prices.late_per_length = cost_of_length(mission, actions, info_.time.step);
    const double costliest = costliest_path(mission, actions, info_.time.step) +
                             prices.late_per_length * longest_remaining_path(mission);
    prices.obstacle = prices.outside = static_cast<float>(-2 * costliest);
    return prices;
  }

  /// Returns the diagonal of the grid [m or 1].
  double diagonal() const {
    return std::hypot(info_.grid.nx * info_.grid.dx, info_.grid.ny * info_.grid.dy);
  }

  /// Lateness has no penalty. An obstacle and the border cost five times the maximum reward from
  /// level 0 to the last, so that a short stay never pays for a failure.
  FailurePenalties prices_of_keeping(const RunRequest::Goal& goal, const Mission& mission) const {
    constexpr double max_reward_multiple = 5;
    const double max_reward_rate =
        mission.objective == Objective::follow ? diagonal() : 1;  // per unit of time
    const double stranded =
        -max_reward_multiple * max_reward_rate * mission.last.value * info_.time.step;
    FailurePenalties prices;
    prices.late = 0;
    prices.obstacle = static_cast<float>(goal.failure.obstacle.value_or(stranded));
    prices.outside = static_cast<float>(goal.failure.outside.value_or(stranded));
    return prices;
  }

  /// Refuses a target that is closed at every level from the departure on. A point on land is
  /// closed even if its default disc touches the water.
  void refuse_closed_target(const ResolvedPlace& place, const Mission& mission) const {
    if (is_ever_open(mission,
                     request_.goal.target_radius ? place_cells(mission.target) : place.cells)) {
      return;
    }
    const Position& target = request_.goal.target;
    refuse(place.key,
           error_text(errors::target_closed, describe_place(target, place), environment_name(),
                      closing_causes(),
                      target.polygons.empty() ? "widen mission.target_radius" : "a larger area"));
  }

  /// Expectations are float32 sums of count times value, so a mission's maximum value times all
  /// counts must fit. Harvests are validated level by level, once the scalar field is known.
  void refuse_large_rewards(const Mission& mission, const PositionRule& rule) const {
    struct Part {
      const char* key;
      double reward;  ///< largest absolute value over a mission
    };
    const RunRequest::Goal& goal = request_.goal;
    if (!std::isfinite(harvest_factor(goal.objective, goal.energy, info_.time.step))) {
      refuse("mission.harvest.c_r", error_text(errors::harvest_too_large, goal.energy.c_r));
    }
    const double speed = *std::max_element(request_.vehicle.through_water().begin(),
                                           request_.vehicle.through_water().end());
    // A policy begins at level 0, wherever the mission departs.
    const double duration = mission.last.value * info_.time.step;
    const double thrust = speed * speed * duration;
    const std::vector<double>& power = mission.profile_power;
    const double dive =
        power.empty() ? 0 : *std::max_element(power.begin(), power.end()) * duration;
    std::vector<Part> parts{{"mission.arrival_reward", std::abs(mission.arrival_reward)}};
    // Default failure penalties follow from the other parts, so messages name those.
    double sum = 0;
    const FailurePenalties& failure = mission.failure;
    const auto price = [&](const char* key, const std::optional<double>& configured,
                           double reward) {
      if (configured) {
        parts.push_back({key, std::abs(reward)});
      } else {
        sum = std::max(sum, std::abs(reward));
      }
    };
    if (goal.failure_penalty) {
      price("mission.failure_penalty", goal.failure_penalty, failure.late);
    } else {
      price("mission.failure.obstacle", goal.failure.obstacle, failure.obstacle);
      price("mission.failure.outside", goal.failure.outside, failure.outside);
      price("mission.failure.late", goal.failure.late,
            failure.late_at(longest_remaining_path(mission)));
    }
    switch (goal.objective) {
      case Objective::time:
      case Objective::stay:
        parts.push_back({"mission.horizon", duration});
        break;
      case Objective::energy:
      case Objective::net_energy:
        parts.push_back({"vehicle.energy.c_f", goal.energy.c_f * thrust});
        parts.push_back({"vehicle.energy.c_t", goal.energy.c_t * duration});
        parts.push_back({"vehicle.profile_power", dive});
        break;
      case Objective::weighted:
        parts.push_back({"vehicle.energy.c_f", goal.energy.alpha * goal.energy.c_f * thrust});
        parts.push_back({"vehicle.profile_power", goal.energy.alpha * dive});
        parts.push_back({"mission.horizon", (1 - goal.energy.alpha) * duration});
        break;
      case Objective::follow:
        parts.push_back({"mission.horizon", duration * diagonal()});
        break;
      case Objective::arrival:
        return;  // values are about 1
    }
    for (const auto& part : parts) sum += part.reward;
    const double limit = max_reward(info_, rule);
    if (sum <= limit) return;
    const auto largest =
        std::max_element(parts.begin(), parts.end(),
                         [](const Part& a, const Part& b) { return a.reward < b.reward; });
    refuse(largest->key,
           error_text(errors::rewards_too_large, largest->reward, mission.last.value, limit));
  }

  const RunRequest& request_;
  const EnvironmentReader& environment_;
  const EnvironmentInfo& info_;
};

}  // namespace

double costliest_step(const Mission& mission, const std::vector<Action>& actions, double step) {
  double costliest = 0;
  for (const Action& action : actions) {
    costliest = std::max(costliest,
                         -exact_action_reward(mission.objective, mission.energy_on(action.profile),
                                              action.speed, step));
  }
  return costliest;
}

double max_reward(const EnvironmentInfo& info, const PositionRule& rule) {
  constexpr double max = 1e37;  // float32 ends at 3.4e38
  return max / row_total(info, rule);
}

void ResolvedMission::start_from(const Grid& grid, const PlanePoint& start) {
  mission.start_x = start.x;
  mission.start_y = start.y;
  mission.start = grid.cell(grid.column_at(start.x), grid.row_at(start.y));
  const auto nearest = std::min_element(
      targets.begin(), targets.end(), [&](const PlanePoint& a, const PlanePoint& b) {
        return std::hypot(a.x - start.x, a.y - start.y) < std::hypot(b.x - start.x, b.y - start.y);
      });
  mission.target_x = nearest->x;
  mission.target_y = nearest->y;
}

void ResolvedMission::start_best(const Grid& grid, const PolicySource& policy) {
  if (starts.size() < 2) return;
  std::vector<float> value(static_cast<std::size_t>(grid.cell_count()));
  policy.read_value(mission.departure, value);
  const auto value_at = [&](const PlanePoint& start) {
    const auto cell =
        static_cast<std::size_t>(grid.cell(grid.column_at(start.x), grid.row_at(start.y)).value);
    // A start in the target has arrived already, unless there are via points; its value does not
    // show that.
    return mission.target[cell] != 0 && mission.via.empty() ? std::numeric_limits<float>::infinity()
                                                            : value[cell];
  };
  start_from(grid, *std::max_element(starts.begin(), starts.end(),
                                     [&](const PlanePoint& a, const PlanePoint& b) {
                                       return value_at(a) < value_at(b);
                                     }));
}

ResolvedMission resolve_mission(const RunRequest& request, const EnvironmentReader& environment) {
  return Resolver(request, environment).resolve();
}

KeptPlace resolve_kept_place(const RunRequest& request, const EnvironmentReader& environment) {
  return Resolver(request, environment).kept_place();
}

VehicleError vehicle_error(const RunRequest& request) {
  return {request.vehicle.speed_error, request.vehicle.heading_error * radians_per_degree,
          request.rollout.seed};
}

std::vector<Action> resolve_actions(const RunRequest& request, const EnvironmentInfo& info) {
  if (info.units == Units::nondimensional && request.places.contains("vehicle.preset")) {
    throw input_error(errors::preset_without_units, request.place("vehicle.preset"),
                      request.environment.string());
  }
  const RunRequest::Vehicle& vehicle = request.vehicle;
  const std::size_t profiles = std::max<std::size_t>(vehicle.profiles.size(), 1);
  std::vector<std::vector<double>> speeds(profiles, vehicle.speeds);
  const char* key = "vehicle.speeds";
  if (vehicle.profile_speeds) {
    key = "vehicle.profile_speeds";
    require_each_profile(request, key, "speeds", *vehicle.profile_speeds);
    for (std::size_t p = 0; p < profiles; ++p) speeds[p] = {(*vehicle.profile_speeds)[p]};
  }
  const VehicleError error = vehicle_error(request);
  double hold = 1;  // steps
  if (const auto& every = request.goal.decide_every) {
    hold = every->seconds ? std::round(*every->seconds / info.time.step) : every->steps;
  }
  try {
    auto actions = make_profile_actions(speeds, vehicle.headings, info.grid, info.time);
    if (error.any()) {
      key = vehicle.speed_error > 0 ? "vehicle.speed_error" : "vehicle.heading_error";
      set_errors(actions, error, std::max(static_cast<std::int32_t>(hold), 1), info.grid,
                 info.time);
    }
    return actions;
  } catch (const InputError& refused) {
    throw InputError(fmt::format("{}: {}", request.place(key), refused.what()));
  }
}

PositionRule resolve_rule(const RunRequest& request, const EnvironmentInfo& info) {
  try {
    return position_rule(request.planner.landing, info,
                         vehicle_error(request).any() ? error_draws : 1);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", request.place("planner.landing"), error.what()));
  }
}

std::vector<std::int32_t> resolve_realizations(const RunRequest& request,
                                               const EnvironmentInfo& info) {
  const RealizationChoice& choice = request.rollout.realizations;
  const std::int32_t available = info.realization_count;
  const auto refuse = [&](const std::string& fault) {
    constexpr std::string_view key = "rollout.realizations";
    throw input_error(errors::realizations_outside, request.place(key), key, fault,
                      request.environment.string(), available, available - 1);
  };
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&choice)) {
    const std::int32_t largest = *std::max_element(list->begin(), list->end());
    if (largest >= available) refuse(fmt::format("holds {}", largest));
    return *list;
  }
  std::int32_t count = available;
  if (const auto* number = std::get_if<std::int32_t>(&choice)) count = *number;
  if (count > available) refuse(fmt::format("is {}", count));
  std::vector<std::int32_t> realizations(static_cast<std::size_t>(count));
  std::iota(realizations.begin(), realizations.end(), 0);
  return realizations;
}

}  // namespace tidewise
