#include "model_builder/step/actions.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

#include "base/error.h"

namespace tidewise {
namespace {

constexpr std::int64_t most_actions = 32767;

std::int32_t fixed_point(double cells, double speed) {
  const double units = std::nearbyint(cells * one_cell);
  if (!(std::abs(units) < static_cast<double>(greatest_displacement) * one_cell)) {
    throw InputError(fmt::format(
        "vehicle.speeds holds {}, which carries the vehicle {:.0f} cells in one step; {} is the "
        "limit: use a smaller speed or time step, or larger cells",
        speed, std::abs(cells), greatest_displacement));
  }
  return static_cast<std::int32_t>(units);
}

}  // namespace

Action make_action(double speed, double heading, const Grid& grid, const TimeAxis& time) {
  return {speed,
          heading,
          {fixed_point(speed * std::cos(heading) * time.step / grid.dx, speed),
           fixed_point(speed * std::sin(heading) * time.step / grid.dy, speed)}};
}

std::vector<Action> make_actions(const std::vector<double>& speeds, std::int32_t heading_count,
                                 const Grid& grid, const TimeAxis& time) {
  if (speeds.empty()) throw InputError("vehicle.speeds is empty; give one speed at least");
  if (heading_count < 1) {
    throw InputError(fmt::format("vehicle.headings is {}; it must be 1 or more", heading_count));
  }
  if (static_cast<std::int64_t>(speeds.size()) * heading_count > most_actions) {
    throw InputError(
        fmt::format("vehicle: {} speeds × {} headings make more than {} actions; use fewer",
                    speeds.size(), heading_count, most_actions));
  }
  std::vector<Action> actions;
  std::set<double> seen;
  for (const double speed : speeds) {
    if (!std::isfinite(speed) || speed < 0) {
      throw InputError(fmt::format("vehicle.speeds holds {}; speeds are 0 or more", speed));
    }
    if (!seen.insert(speed).second) {
      throw InputError(fmt::format("vehicle.speeds holds {} twice; name each speed once", speed));
    }
    const std::int32_t headings = speed == 0 ? 1 : heading_count;
    for (std::int32_t h = 0; h < headings; ++h) {
      const double heading = 2 * std::numbers::pi * h / headings;
      actions.push_back(make_action(speed, heading, grid, time));
    }
  }
  return actions;
}

std::vector<Action> make_profile_actions(const std::vector<std::vector<double>>& speeds,
                                         std::int32_t heading_count, const Grid& grid,
                                         const TimeAxis& time) {
  std::vector<Action> actions;
  for (std::size_t profile = 0; profile < speeds.size(); ++profile) {
    for (Action action : make_actions(speeds[profile], heading_count, grid, time)) {
      action.profile = static_cast<std::int32_t>(profile);
      actions.push_back(action);
    }
  }
  if (static_cast<std::int64_t>(actions.size()) > most_actions) {
    throw InputError(
        fmt::format("vehicle: speeds × headings of {} profiles make more than {} actions; use "
                    "fewer",
                    speeds.size(), most_actions));
  }
  return actions;
}

std::vector<ProfileActions> by_profile(const std::vector<Action>& actions) {
  std::vector<ProfileActions> parts;
  for (std::size_t a = 0; a < actions.size(); ++a) {
    if (parts.empty() || parts.back().profile != actions[a].profile) {
      parts.push_back({actions[a].profile, static_cast<std::int32_t>(a), {}});
    }
    parts.back().actions.push_back(actions[a]);
  }
  return parts;
}

}  // namespace tidewise
