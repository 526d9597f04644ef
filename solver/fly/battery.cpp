#include "solver/fly/battery.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/step/reward.h"

namespace tidewise {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Energy spent minus energy harvested between two points.
double drawn_between(const TrajectoryPoint& from, const TrajectoryPoint& to) {
  return (double(to.energy) - from.energy) - (double(to.harvested) - from.harvested);
}

// Range of a battery: the step in which it becomes empty, and the fraction of that step that it
// lasts; the step after the last if it does not become empty.
struct Range {
  std::size_t step = 0;
  double share = 1;
  double energy_left = 0;  // at the end
};

Range range_of(const Trajectory& flight, double capacity) {
  double energy_left = capacity;
  for (std::size_t n = 0; n + 1 < flight.points.size(); ++n) {
    const double drawn = drawn_between(flight.points[n], flight.points[n + 1]);
    if (drawn > energy_left) return {n, energy_left / drawn, 0};
    energy_left = std::min(capacity, energy_left - drawn);
  }
  return {flight.points.size(), 1, energy_left};
}

// The rewards of a flight without the value of its end.
double rewards_before_end(const Trajectory& flight, const Mission& mission, double step) {
  double sum = 0;
  for (std::size_t n = 0; n + 1 < flight.points.size(); ++n) {
    const TrajectoryPoint& point = flight.points[n];
    const double share = flight.steps_to(n + 1) - flight.steps_to(n);
    const EnergyModel energy = mission.energy_on(flight.profiles.empty() ? 0 : flight.profiles[n]);
    sum += share * exact_action_reward(mission.objective, energy, point.speed, step);
  }
  if (mission.objective == Objective::net_energy) sum += flight.points.back().harvested;
  return sum;
}

}  // namespace

void drain(Trajectory& flight, const Mission& mission, double step) {
  if (!mission.battery) return;
  const Range range = range_of(flight, *mission.battery);
  flight.energy_left = range.energy_left;
  if (range.step >= flight.points.size()) return;
  const TrajectoryPoint from = flight.points[range.step];
  const TrajectoryPoint to = flight.points[range.step + 1];
  const double begin = flight.steps_to(range.step);
  const double duration = flight.steps_to(range.step + 1) - begin;
  const auto between = [&](double a, double b) { return a + range.share * (b - a); };
  flight.points.resize(range.step + 2);
  if (!flight.profiles.empty()) flight.profiles.resize(range.step + 1);
  std::erase_if(flight.passed,
                [&](std::int32_t at) { return static_cast<std::size_t>(at) > range.step; });
  flight.points.back() = {between(from.x, to.x),
                          between(from.y, to.y),
                          nan,
                          nan,
                          static_cast<float>(between(from.energy, to.energy)),
                          static_cast<float>(between(from.harvested, to.harvested))};
  flight.last_step = begin - static_cast<double>(range.step) + range.share * duration;
  flight.outcome = TrajectoryOutcome::out_of_energy;
  const TrajectoryPoint& end = flight.points.back();
  const double distance = std::hypot(end.x - mission.target_x, end.y - mission.target_y);
  // Before a via point the distance left is that from the via point, as in the model.
  const double distance_left = flight.passed.size() < mission.via.size()
                                   ? mission.via[flight.passed.size()].rest
                                   : std::max(0.0, distance - mission.disc.radius);
  flight.total_reward =
      rewards_before_end(flight, mission, step) + mission.failure.late_at(distance_left);
}

void drain(FlightEnd& flight, const Mission& mission) {
  if (!mission.battery) return;
  flight.energy_left = std::min(*mission.battery, *mission.battery - flight.net_energy());
  if (flight.energy_left >= 0) return;
  flight.energy_left = 0;
  if (flight.arrived()) flight.total_reward += mission.failure.late - mission.arrival_reward;
  flight.outcome = TrajectoryOutcome::out_of_energy;
}

}  // namespace tidewise
