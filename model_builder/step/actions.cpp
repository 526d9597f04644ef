#include "model_builder/step/actions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "base/error.h"
#include "model_builder/error/codes.h"

namespace tidewise {
namespace {

constexpr std::int64_t max_actions = 32767;

std::int32_t fixed_point(double cells, double speed) {
  const double units = std::nearbyint(cells * one_cell);
  if (!(std::abs(units) < static_cast<double>(greatest_displacement) * one_cell)) {
    throw input_error(errors::speed_too_fast_for_cells, speed, std::abs(cells),
                      greatest_displacement);
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
  if (speeds.empty()) throw input_error(errors::speeds_empty);
  if (heading_count < 1) {
    throw input_error(errors::heading_count_invalid, heading_count);
  }
  if (static_cast<std::int64_t>(speeds.size()) * heading_count > max_actions) {
    throw input_error(errors::actions_too_many, speeds.size(), heading_count, max_actions);
  }
  std::vector<Action> actions;
  std::set<double> previous_speeds;
  for (const double speed : speeds) {
    if (!std::isfinite(speed) || speed < 0) {
      throw input_error(errors::speed_negative, speed);
    }
    if (!previous_speeds.insert(speed).second) {
      throw input_error(errors::speed_twice, speed);
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
  if (static_cast<std::int64_t>(actions.size()) > max_actions) {
    throw input_error(errors::profile_actions_too_many, speeds.size(), max_actions);
  }
  return actions;
}

void set_errors(std::vector<Action>& actions, const VehicleError& error, std::int32_t steps,
                const Grid& grid, const TimeAxis& time) {
  // For a normally distributed angle: the means of its cosine and of the cosine of twice the angle.
  const double cosine_mean = std::exp(-error.heading * error.heading / 2);
  const double double_cosine_mean = std::exp(-2 * error.heading * error.heading);
  for (Action& action : actions) {
    const double speed = action.speed;
    if (speed == 0) continue;
    const double square = speed * speed + error.speed * error.speed;  // mean of the squared speed
    const double mean = speed * cosine_mean;
    const double variance_along = square * (1 + double_cosine_mean) / 2 - mean * mean;
    const double variance_across = square * (1 - double_cosine_mean) / 2;
    // Two of four draws are along the heading, and the steps of one decision have separate draws.
    const double along = std::sqrt(2 * steps * std::max(variance_along, 0.0));
    const double across = std::sqrt(2 * steps * variance_across);
    const auto displacement = [&](double length, double angle) {
      return make_action(length, angle, grid, time).displacement;
    };
    action.displacement = displacement(mean, action.heading);
    action.error = {displacement(along, action.heading),
                    displacement(across, action.heading + std::numbers::pi / 2)};
  }
}

std::vector<Action> displaced_actions(const std::vector<Action>& actions, std::int32_t draws) {
  std::vector<Action> displaced;
  displaced.reserve(actions.size() * static_cast<std::size_t>(draws));
  for (const Action& action : actions) {
    for (std::int32_t draw = 0; draw < draws; ++draw) {
      displaced.push_back(action);
      displaced.back().displacement = with_error(action.displacement, action.error, draw);
      displaced.back().error = {};
    }
  }
  return displaced;
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
