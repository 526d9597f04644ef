#include "planner/mission/resolve/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "env/units/depths.h"
#include "solver/step/reward.h"

namespace tidewise {
namespace {

std::string validate_step(const RunRequest& request, const EnvironmentInfo& info) {
  const double cells = cells_per_step(request, info);
  const double min = min_cells_per_step(request.planner.landing);
  constexpr double max = 32;
  const double speed = greatest_speed(request);
  if (cells > max) {
    return fmt::format(
        "{}: the greatest of vehicle.speeds, {}{}, moves the vehicle {:.0f} cells in a step; is it "
        "in {}? If so, make the step shorter",
        request.place("vehicle.speeds"), speed, info.units == Units::metric ? " m/s" : "", cells,
        info.units == Units::metric ? "m/s" : "the environment's unit");
  }
  if (cells >= min) return {};
  const double spacing = std::max(info.grid.dx, info.grid.dy);
  const char* length = info.units == Units::metric ? " m" : "";
  const char* time = info.units == Units::metric ? " s" : "";
  if (speed == 0) {
    if (request.vehicle.profiles.size() > 1)
      return {};  // it chooses a depth and drifts with its water
    return fmt::format(
        "{}: vehicle.speeds holds only 0, so the vehicle only drifts; give it a speed above 0",
        request.place("vehicle.speeds"));
  }
  const std::string movement = fmt::format(
      "{}: the greatest of vehicle.speeds, {}, moves the vehicle {:.2f} cells in a step",
      request.place("vehicle.speeds"), speed, cells);
  if (request.planner.landing == LandingBy::area) {
    return fmt::format(
        "{}; below about {} predicted times are some per cent too late (docs/trust/accuracy.md): "
        "use the simulated figures, or import the forecast for this vehicle (env import "
        "--vehicle-speed {:.4g})",
        movement, min, speed);
  }
  return fmt::format(
      "{}; below about {} the model with planner.landing = \"cell\" keeps it in its cell where the "
      "flow is weak: use an environment with a step of at least {:.4g}{} (it is "
      "{:.4g}) or a spacing of at most {:.4g}{} (it is {:.4g})",
      movement, min, min * spacing / speed, time, info.time.step, speed * info.time.step / min,
      length, spacing);
}

std::string length_text(double length, const EnvironmentInfo& info) {
  if (info.units != Units::metric) return fmt::format("{:.4g}", length);
  return length < 1000 ? fmt::format("{:.4g} m", length) : fmt::format("{:.4g} km", length / 1000);
}

/// Warns of a target that a vehicle can hardly hit, often because a unit is missing.
std::string validate_target(const RunRequest& request, const EnvironmentInfo& info) {
  const double radius = request.goal.target_radius.value_or(0);
  const double cell = std::min(info.grid.dx, info.grid.dy);
  constexpr double small = 0.2;  // share of a cell
  if (!(radius > 0 && radius < small * cell)) return {};
  return fmt::format(
      "{}: mission.target_radius is {}, and cells are {} wide: a vehicle misses so small a target; "
      "give {:.6g} or more",
      request.place("mission.target_radius"), length_text(radius, info), length_text(cell, info),
      cell);
}

/// Warns of penalties so low that a vehicle fails on purpose rather than take a long path.
std::string validate_failure(const RunRequest& request, const EnvironmentInfo& info,
                             const ResolvedMission& resolved) {
  const Mission& mission = resolved.mission;
  // With arrival_at_least the plan fails as often as allowed; with station keeping failing gains
  // nothing.
  if (request.arrival_at_least || mission.kept) return {};
  double costliest = 0;
  for (const auto& action : resolved.actions) {
    costliest = std::max<double>(
        costliest, -action_reward(mission.objective, mission.energy_on(action.profile),
                                  action.speed, info.time.step));
  }
  const std::int32_t steps = mission.last.value - mission.departure.value;
  const double path_cost = steps * costliest;
  const FailurePenalties& failure = mission.failure;
  struct Price {
    const char* key;
    double price;
    double min;  ///< return that must exceed the penalty
    const char* what;
  };
  const double arrival = mission.arrival_reward - path_cost;
  const double late = failure.late - path_cost;
  const bool has_one_penalty = request.goal.failure_penalty.has_value();
  std::vector<Price> prices{{has_one_penalty ? "mission.failure_penalty" : "mission.failure.late",
                             failure.late, arrival, "arriving"}};
  if (!has_one_penalty) {
    prices.push_back({"mission.failure.obstacle", failure.obstacle, late, "being late"});
    prices.push_back({"mission.failure.outside", failure.outside, late, "being late"});
  }
  for (const auto& [key, price, min, what] : prices) {
    if (price < min) continue;
    return fmt::format(
        "{}: {} is {:.6g}, more than the return of {} after {} steps, {:.6g}: the vehicle may "
        "prefer to fail{}; use a penalty of {:.3g} or lower",
        request.place(key), key, price, what, steps, min, has_one_penalty ? "" : " so",
        std::min(2 * min, min - 1));
  }
  return {};
}

/// Warns of via points that a vehicle may cross between two levels without passing them.
std::string validate_via(const RunRequest& request, const EnvironmentInfo& info,
                         const ResolvedMission& resolved) {
  constexpr double pi = 3.14159265358979;
  const double half_step = greatest_speed(request) * info.time.step / 2;
  const auto& via = resolved.mission.via;
  for (std::size_t n = 0; n < via.size(); ++n) {
    const Position& place = request.goal.via[n].place;
    const double parts = static_cast<double>(1 + place.others.size());
    const double area = static_cast<double>(via[n].cells.size()) * info.grid.dx * info.grid.dy;
    const double radius = std::sqrt(area / parts / pi);
    if (radius >= half_step) continue;
    const char* length = info.units == Units::metric ? " m" : "";
    return fmt::format(
        "{}: via point {} has a radius of about {:.3g}{} in cells, and a step in still water is "
        "{:.3g}{} long: a vehicle may cross it between two levels without being counted, so that "
        "the plan takes a detour; give it a radius of {:.3g}{} or more",
        request.place("mission.via"), n + 1, radius, length, 2 * half_step, length,
        half_step + std::max(info.grid.dx, info.grid.dy) / 2, length);
  }
  return {};
}

/// Warns of the objective energy if all actions have the same power, because energy is then
/// proportional to time.
std::string validate_energy(const RunRequest& request) {
  const RunRequest::Vehicle& vehicle = request.vehicle;
  const auto are_equal = [](const std::vector<double>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  };
  const auto& powers = vehicle.profile_power;
  const bool has_one_power = are_equal(vehicle.through_water()) && !vehicle.surface_drift &&
                             (!powers || are_equal(*powers));
  if (request.goal.objective != Objective::energy || !has_one_power) return {};
  return fmt::format(
      "{}: with one speed, energy is proportional to time, and the plan is that of the objective "
      "\"time\"; give slower speeds, too (vehicle.speeds)",
      request.place("mission.objective"));
}

}  // namespace

double greatest_speed(const RunRequest& request) {
  const std::vector<double>& speeds = request.vehicle.through_water();
  return *std::max_element(speeds.begin(), speeds.end());
}

double cells_per_step(const RunRequest& request, const EnvironmentInfo& info) {
  return greatest_speed(request) * info.time.step / std::max(info.grid.dx, info.grid.dy);
}

std::vector<std::string> validate_mission(const RunRequest& request, const EnvironmentInfo& info,
                                          const ResolvedMission& resolved) {
  std::vector<std::string> warnings{validate_step(request, info), validate_target(request, info),
                                    validate_failure(request, info, resolved),
                                    validate_via(request, info, resolved),
                                    validate_energy(request)};
  std::erase(warnings, "");
  const auto dives = validate_dives(request, info, resolved.mission);
  warnings.insert(warnings.end(), dives.begin(), dives.end());
  return warnings;
}

std::vector<std::string> validate_dives(const RunRequest& request, const EnvironmentInfo& info,
                                        const Mission& mission) {
  if (info.units != Units::metric) return {};
  const double vertical_speed = request.vertical_speed.value_or(usual_vertical_speed);
  const double interval = mission.decisions.every * info.time.step;
  const auto& drift = request.vehicle.surface_drift;
  const double at_surface = drift ? *drift->seconds : 0;
  std::vector<std::string> warnings;
  for (const EnvironmentProfile& profile : info.profiles) {
    const double needed = 2 * deepest_of(profile.depths).value_or(0) / vertical_speed;
    if (needed <= interval - at_surface) continue;
    const auto steps = static_cast<std::int32_t>(std::ceil((needed + at_surface) / info.time.step));
    const bool can_hold = steps <= mission.last.value - mission.departure.value;
    warnings.push_back(fmt::format(
        "{}: a dive of profile {} ({}) takes {:.3g} h down and up at {:.3g} m/s, and the vehicle "
        "decides each {:.3g} h{}: the dive does not fit into that time, which the plan ignores; "
        "{}import with a --step of {:.3g}h or more, or dive a shallower profile",
        request.place("vehicle.profiles"), profile.name, brief_depths(profile.depths),
        needed / 3600, vertical_speed, interval / 3600,
        drift ? fmt::format(", of which it drifts {:.3g} min at the surface", at_surface / 60) : "",
        can_hold ? fmt::format("hold each action (mission.decide_every = {}), ", steps) : "",
        std::ceil(10 * (needed + at_surface) / 3600) / 10));
  }
  return warnings;
}

std::string validate_headings(const RunRequest& request, const EnvironmentInfo& info) {
  constexpr double turn = 2 * 3.14159265358979;
  if (greatest_speed(request) == 0) return {};
  const double cells = cells_per_step(request, info);
  const double separation = turn * cells / request.vehicle.headings;
  if (request.vehicle.headings >= min_headings) {
    if (separation <= max_cells_between_headings) return {};
    return fmt::format(
        "{}: the vehicle moves {:.2g} cells in a step, and at the end of it neighbouring headings "
        "are {:.2g} cells apart: a plan loses up to 1 % of the time, and in weak currents it is "
        "slower than the straight line; set vehicle.headings = {:.0f}, or make the step shorter "
        "[headings_coarse]",
        request.place("vehicle.headings"), cells, separation,
        8 * std::ceil(turn * cells / enough_cells_between_headings / 8));
  }
  return fmt::format(
      "{}: vehicle.headings is {}; below {} a plan loses time to the angles between them (16 cost "
      "about 1 % of it, 32 about 0.3 %): use {} or more",
      request.place("vehicle.headings"), request.vehicle.headings, min_headings, min_headings);
}

std::string validate_reach(const RunRequest& request, const EnvironmentInfo& info,
                           const ResolvedMission& resolved, double short_of, double mean_flow) {
  const Mission& mission = resolved.mission;
  if (mission.kept) return {};
  const Grid& grid = info.grid;
  const bool metric = info.units == Units::metric;
  const std::int32_t steps = mission.last.value - mission.departure.value;
  if (!(short_of > 0)) {
    double distance = std::numeric_limits<double>::infinity();
    for (std::int32_t cell = 0; cell < grid.cell_count(); ++cell) {
      if (mission.target[static_cast<std::size_t>(cell)] == 0) continue;
      const CellIndex target_cell(cell);
      for (const PlanePoint& start : resolved.starts) {
        distance = std::min(distance, std::hypot(grid.x(grid.column(target_cell)) - start.x,
                                                 grid.y(grid.row(target_cell)) - start.y));
      }
    }
    const double own_distance = greatest_speed(request) * steps * info.time.step;
    if (distance - own_distance <= mean_flow * steps * info.time.step) return {};
    const double unit = metric ? 1000 : 1;
    const char* length = metric ? " km" : "";
    return fmt::format(
        "{}: the target is {:.4g}{} away, and in the {} steps of the mission the vehicle makes "
        "{:.3g}{} through the water: it arrives only with currents that help it all along and are "
        "faster than the mean flow's average, {:.3g}{}; give a longer mission.horizon or higher "
        "vehicle.speeds",
        request.place("mission.horizon"), distance / unit, length, steps, own_distance / unit,
        length, mean_flow, metric ? " m/s" : "");
  }
  return fmt::format(
      "{}: the target cannot be reached within {} steps{}: even if the strongest current of every "
      "place in reach helps it all the time, a vehicle of speed {:.4g} stays {:.4g}{} short of it; "
      "give a longer mission.horizon or higher vehicle.speeds",
      request.place("mission.horizon"), steps,
      metric ? fmt::format(" ({:.4g} h)", steps * info.time.step / 3600) : "",
      greatest_speed(request), metric ? short_of / 1000 : short_of, metric ? " km" : "");
}

std::string validate_at_target(const RunRequest& request, const EnvironmentInfo& info,
                               const ResolvedMission& resolved) {
  const Mission& mission = resolved.mission;
  if (mission.kept || !mission.via.empty()) return {};
  const Grid& grid = info.grid;
  const auto is_in_target = [&](const PlanePoint& start) {
    const CellIndex cell = grid.cell(grid.column_at(start.x), grid.row_at(start.y));
    return mission.target[static_cast<std::size_t>(cell.value)] != 0;
  };
  const auto start = std::find_if(resolved.starts.begin(), resolved.starts.end(), is_in_target);
  if (start == resolved.starts.end()) return {};
  std::string text = request.place("mission.target") + ": the vehicle is at its target already";
  const double radius = mission.disc.radius;
  if (!(radius > 0)) return text + ": it starts in it; give another start or target";
  double distance = std::numeric_limits<double>::infinity();
  for (const PlanePoint& target : resolved.targets) {
    distance = std::min(distance, std::hypot(target.x - start->x, target.y - start->y));
  }
  return text + fmt::format(
                    ": it starts {} from it, within mission.target_radius, {}; "
                    "give a smaller one, or another start or target",
                    length_text(distance, info), length_text(radius, info));
}

std::string validate_last_level(const RunRequest& request, const EnvironmentReader& environment,
                                const ResolvedMission& resolved) {
  if (resolved.mission.kept) return {};
  const auto masked = environment.read_masked(resolved.mission.last);
  for (std::size_t cell = 0; cell < masked.size(); ++cell) {
    if (resolved.mission.target[cell] != 0 && masked[cell] == 0) return {};
  }
  return fmt::format(
      "{}: every cell of the target is closed at the last level, {}; arrive earlier, or "
      "choose another mission.horizon",
      request.place("mission.target"), resolved.mission.last.value);
}

}  // namespace tidewise
