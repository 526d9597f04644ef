#include "planner/route/flight_line.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/flight/segment.h"

namespace tidewise {
namespace {

TimeLevel last_level_of(const Mission& mission, const Trajectory& flight) {
  const auto steps = static_cast<std::int32_t>(std::ceil(flight.begun + flight.steps()));
  return TimeLevel(std::min(mission.departure.value + steps, mission.last.value));
}

}  // namespace

FlightLine::FlightLine(const EnvironmentReader& environment, const Mission& mission,
                       const Trajectory& flight)
    : mission_(mission),
      flight_(flight),
      closed_(environment, mission.departure, last_level_of(mission, flight)) {
  for (const TrajectoryPoint& point : flight.points) points_.push_back({point.x, point.y});
  points_.back() = {mission.target_x, mission.target_y};
  if (is_open(points_.size() - 2, points_.size() - 1)) return;
  points_.back() = {flight.points.back().x, flight.points.back().y};
  points_.push_back({mission.target_x, mission.target_y});
}

double FlightLine::steps_to(std::size_t point) const {
  return flight_.steps_to(flight_point(point));
}

bool FlightLine::is_clear(std::size_t from, std::size_t to) const {
  // A leg between neighbours was flown, lies within the target, or was checked.
  return to == from + 1 || is_open(from, to);
}

bool FlightLine::is_open(std::size_t from, std::size_t to) const {
  const Grid& grid = closed_.grid();
  const PlanePoint& begin = points_[from];
  PlanePoint end = points_[to];
  const bool to_target = to + 1 == points_.size();
  const TargetDisc& disc = mission_.disc;
  if (to_target && disc.radius > 0) {
    const double entry = disc.entered_by(grid, begin.x, begin.y, end.x, end.y);
    if (entry <= 1) {
      end = {begin.x + entry * (end.x - begin.x), begin.y + entry * (end.y - begin.y)};
    }
  }
  const TimeLevel first(mission_.departure.value +
                        static_cast<std::int32_t>(std::floor(steps_to(from))));
  const TimeLevel last(mission_.departure.value +
                       static_cast<std::int32_t>(std::ceil(steps_to(to))));
  bool is_blocked = false;
  walk_segment(grid, begin.x, begin.y, end.x, end.y, [&](std::int32_t i, std::int32_t j) {
    is_blocked = is_blocked || closed_.any(i, j, first, last);
    const bool arrived = to_target && disc.radius == 0 && grid.contains(i, j) &&
                         mission_.target[static_cast<std::size_t>(grid.cell(i, j).value)] != 0;
    return is_blocked || arrived;
  });
  return !is_blocked;
}

bool FlightLine::keeps_places(std::size_t from, std::size_t to) const {
  return std::none_of(flight_.passed.begin(), flight_.passed.end(), [&](std::int32_t at) {
    const auto point = static_cast<std::size_t>(at);  // index in the flight and in the line
    return from < point && point < to;
  });
}

std::vector<double> FlightLine::steps_in(std::size_t from, std::size_t to) const {
  std::vector<double> steps(1, 0.0);
  const auto& dived = flight_.profiles;
  if (dived.empty()) return steps;
  // A leg within the target has the profile of the entry.
  const std::size_t first = std::min(from, dived.size() - 1);
  const std::size_t end = std::max(first + 1, flight_point(to));
  for (std::size_t n = first; n < end; ++n) {
    steps.resize(std::max(steps.size(), std::size_t{dived[n]} + 1));
    steps[dived[n]] += flight_.steps_to(n + 1) - flight_.steps_to(n);
  }
  return steps;
}

std::int32_t FlightLine::profile(std::size_t from, std::size_t to) const {
  const auto steps = steps_in(from, to);
  return static_cast<std::int32_t>(std::max_element(steps.begin(), steps.end()) - steps.begin());
}

double FlightLine::other_profiles(std::size_t from, std::size_t to) const {
  const auto steps = steps_in(from, to);
  return std::accumulate(steps.begin(), steps.end(), 0.0) -
         *std::max_element(steps.begin(), steps.end());
}

bool FlightLine::keeps_profile(std::size_t from, std::size_t to) const {
  const auto& dived = flight_.profiles;
  return std::all_of(
      dived.begin() + static_cast<std::ptrdiff_t>(std::min(from, dived.size())),
      dived.begin() + static_cast<std::ptrdiff_t>(std::min(flight_point(to), dived.size())),
      [&](std::uint8_t profile) { return profile == dived[from]; });
}

double FlightLine::mean_speed(std::size_t from, std::size_t to) const {
  double distance = 0;
  double steps = 0;
  const std::size_t end = flight_point(to);
  for (std::size_t n = from; n < end; ++n) {
    const double step = flight_.steps_to(n + 1) - flight_.steps_to(n);
    distance += step * static_cast<double>(flight_.points[n].speed);
    steps += step;
  }
  if (steps > 0) return distance / steps;
  // A leg within the target has the speed of the entry.
  return static_cast<double>(flight_.points[flight_.points.size() - 2].speed);
}

}  // namespace tidewise
