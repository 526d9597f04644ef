#include "planner/rehearsal/vehicle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "env/mask.h"
#include "solver/flight/continuous_step.h"
#include "solver/flight/own_velocity.h"
#include "solver/legs/legs.h"
#include "solver/policy/policy.h"
#include "solver/step/reward.h"

namespace tidewise::rehearsal {
namespace {

constexpr double track_interval = 600;  // minimum time between points of a track [s]

}  // namespace

Vehicle::Vehicle(const Orders& orders, SourceField& field, const std::vector<double>& source_times,
                 std::size_t member, double lag)
    : orders_(orders),
      field_(field),
      source_times_(source_times),
      member_(member),
      lag_(lag),
      finder_(orders.grid, orders.longitude, orders.latitude),
      plane_{orders.mission->start_x, orders.mission->start_y},
      up_(up_at(to_globe(orders.grid, orders.longitude, orders.latitude, plane_))),
      dive_(orders.vertical_speed) {}

void Vehicle::fly(const PolicyStep& step) {
  if (flight_.track.empty()) {
    record(step.begin);
    expected_return_ = expected_return(step, step.begin);
    end_step(step.begin);
  }
  if (!under_way_ || !(step.holds || take_course(step))) return;
  std::vector<double> ends{step.end};
  for (const double time : source_times_) {
    const double source_time = time - lag_ - orders_.origin;
    if (source_time > step.begin && source_time < step.end) ends.push_back(source_time);
  }
  const double drift = surfacing(step);
  if (drift > step.begin && drift < step.end) ends.push_back(drift);
  std::sort(ends.begin(), ends.end());
  double begin = step.begin;
  for (const double to : ends) {
    const double parts = std::max(1.0, std::ceil((to - begin) / orders_.part - 1e-9));
    for (double part = 0; part < parts; ++part) {
      fly_part(step, begin + part / parts * (to - begin), (to - begin) / parts);
      if (!under_way_) return;
    }
    begin = to;
  }
  end_step(step.end);
}

/// At the end of a step, via points are passed, and a vehicle in a cell of the target arrives even
/// outside the target's discs, because the policy has no action there.
void Vehicle::end_step(double time) {
  const Mission& mission = *orders_.mission;
  const auto cell = find_cell();
  if (!cell) return;
  while (leg_ < mission.via.size() &&
         is_in(mission.via[leg_], CellIndex(static_cast<std::int32_t>(*cell)))) {
    ++leg_;
  }
  const bool arrived = share_until_target(up_, up_) <= 1 ||
                       (leg_ == mission.via.size() && mission.target[*cell] != 0);
  if (arrived) end(TrajectoryOutcome::arrived, time);
}

/// Takes the action of the vehicle's cell. Returns false if there is none.
bool Vehicle::take_course(const PolicyStep& step) {
  const Mission& mission = *orders_.mission;
  const auto cell = find_cell();
  if (!cell) {
    end(TrajectoryOutcome::out_of_domain, step.begin);
    return false;
  }
  const std::int16_t number = step.actions[leg_][*cell];
  if (number == no_action) {
    end(step.closed[*cell] == beyond_forecast ? TrajectoryOutcome::out_of_forecast
                                              : TrajectoryOutcome::without_action,
        step.begin);
    return false;
  }
  const Action& action = (*orders_.actions)[static_cast<std::size_t>(number)];
  const double bearing = true_bearing(action.heading, orders_.convergence->at(plane_.x, plane_.y)) *
                         radians_per_degree;
  // The action's speed is the mean over the time between two decisions, of which the vehicle drifts
  // the last part.
  const double cycle = step.decides - step.begin;
  const double under_way = cycle - orders_.surface_drift;
  const double stretch = under_way > 0 ? cycle / under_way : 1;
  const Current velocity =
      own_velocity({action.speed * std::sin(bearing), action.speed * std::cos(bearing)},
                   mission.error, static_cast<std::int32_t>(member_), dives_++);
  course_.through_water = {stretch * velocity.u, stretch * velocity.v};
  course_.profile = action.profile;
  RehearsalPoint& last = flight_.track.back();
  if (last.time == orders_.origin + step.begin) last.profile = action.profile;
  if (!orders_.dives.empty()) {
    dive_.set_depths(orders_.dives[static_cast<std::size_t>(action.profile)]);
  }
  course_.power = power_spent(mission.energy_on(action.profile), action.speed);
  return true;
}

void Vehicle::fly_part(const PolicyStep& step, double begin, double length) {
  const Mission& mission = *orders_.mission;
  Vector to = up_;
  if (!integrate(step, begin, length, to)) {
    end(TrajectoryOutcome::out_of_forecast, begin);
    return;
  }
  const double target_share = share_until_target(up_, to);
  const double flown = target_share <= 1 ? target_share * length : length;
  if (mission.battery && spent_ + course_.power * flown > *mission.battery) {
    end(TrajectoryOutcome::out_of_energy,
        begin + std::max(0.0, (*mission.battery - spent_) / course_.power));
    return;
  }
  spent_ += course_.power * flown;
  if (target_share <= 1) {
    up_ = normalized(up_ + target_share * (to + -1.0 * up_));
    end(TrajectoryOutcome::arrived, begin + flown);
    return;
  }
  up_ = to;
  check_place(step, begin + length);
}

double Vehicle::surfacing(const PolicyStep& step) const {
  return orders_.surface_drift > 0 ? step.decides - orders_.surface_drift
                                   : std::numeric_limits<double>::infinity();
}

bool Vehicle::integrate(const PolicyStep& step, double begin, double length, Vector& up) {
  bool known = true;
  double dive_end = 0;
  const double drift = surfacing(step);
  const EastNorth through_water = begin + length / 2 > drift ? EastNorth{} : course_.through_water;
  const auto turning = [&](Vector at, double time) {
    at = normalized(at);
    const SourceFlow flow =
        field_.at(at, dive_.depth(), orders_.origin + time + lag_, member_, near_);
    known = known && flow.ground != SourceFlow::Ground::beyond;
    dive_end = flow.dive_end;
    return turning_of(
        at, {through_water.east + flow.current.east, through_water.north + flow.current.north});
  };
  const auto dive_until = [&](double time) {
    if (!orders_.dives.empty()) dive_.advance(length / 2, dive_end, drift - (time - length / 2));
  };
  const double middle = begin + length / 2;
  const Vector a = turning(up, begin);
  dive_until(middle);
  const Vector b = turning(up + length / 2 * a, middle);
  const Vector c = turning(up + length / 2 * b, middle);
  dive_until(begin + length);
  const Vector d = turning(up + length * c, begin + length);
  up = normalized(up + length / 6 * (a + 2 * b + 2 * c + d));
  return known;
}

/// Returns the first entry into the target as a share of the straight line, 0 … 1; 2 if there is
/// none, and on legs to via points.
double Vehicle::share_until_target(Vector from, Vector to) const {
  constexpr double none = 2;
  const Mission& mission = *orders_.mission;
  const double radius = mission.disc.radius;
  double first = none;
  if (leg_ < mission.via.size() || !(radius > 0)) return first;
  for (const Vector& target : orders_.targets) {
    if (dot(target, from) <= 0) continue;  // on the other side of the Earth
    const EastNorth p = displacement_between(target, from);
    const EastNorth q = displacement_between(target, to);
    const EastNorth w{q.east - p.east, q.north - p.north};
    // |p + φ w| = radius; the smaller root is the entry.
    const double c = p.east * p.east + p.north * p.north - radius * radius;
    if (c <= 0) return 0;
    const double a = w.east * w.east + w.north * w.north;
    const double half_b = p.east * w.east + p.north * w.north;
    const double discriminant = half_b * half_b - a * c;
    if (!(half_b < 0) || discriminant < 0) continue;
    const double at = (-half_b - std::sqrt(discriminant)) / a;
    if (at <= 1) first = std::min(first, at);
  }
  return first;
}

/// Ends a flight that has arrived, grounded, or left the source.
void Vehicle::check_place(const PolicyStep& step, double time) {
  const Mission& mission = *orders_.mission;
  const auto cell = find_cell();
  const SourceFlow flow =
      field_.at(up_, dive_.depth(), orders_.origin + time + lag_, member_, near_);
  const bool is_closed =
      flow.ground == SourceFlow::Ground::land || (cell && step.closed[*cell] == closed_by_obstacle);
  if (flow.ground == SourceFlow::Ground::beyond) {
    end(TrajectoryOutcome::out_of_forecast, time);
  } else if (is_closed) {
    end(TrajectoryOutcome::obstacle, time);
  } else if (!cell) {
    end(TrajectoryOutcome::out_of_domain, time);
  } else if (leg_ == mission.via.size() && !(mission.disc.radius > 0) &&
             mission.target[*cell] != 0) {
    end(TrajectoryOutcome::arrived, time);
  } else {
    const double before = std::exchange(expected_return_, expected_return(step, time));
    harvested_ += energy_harvested(mission.energy.c_r, time - last_time_, before, expected_return_);
    record(time);
  }
}

double Vehicle::expected_return(const PolicyStep& step, double time) const {
  if (!orders_.mission->kept) return 0;
  const PlanePoint& now = step.kept.now;
  const PlanePoint& next = step.kept.next;
  const double share = (time - step.begin) / (step.end - step.begin);
  const PlanePoint from{now.x + share * (next.x - now.x), now.y + share * (next.y - now.y)};
  return scalar_in(step.kept, step.level, orders_.grid, from, plane_.x, plane_.y);
}

/// The cell of the policy's grid that holds the vehicle.
std::optional<std::size_t> Vehicle::find_cell() {
  const GeographicPoint place = place_at(up_);
  const auto point = finder_.find(place.longitude, place.latitude);
  if (!point) return {};
  const std::int32_t column = orders_.grid.column_at(point->x);
  const std::int32_t row = orders_.grid.row_at(point->y);
  if (!orders_.grid.contains(column, row)) return {};
  plane_ = *point;
  return static_cast<std::size_t>(orders_.grid.cell(column, row).value);
}

void Vehicle::end(TrajectoryOutcome outcome, double time) {
  under_way_ = false;
  flight_.outcome = outcome;
  last_time_ = time;
  flight_.track.push_back(point_at(orders_.origin + time));
}

RehearsalPoint Vehicle::point_at(double instant) const {
  return {place_at(up_), instant, dive_.depth(), course_.profile};
}

void Vehicle::record(double time) {
  last_time_ = time;
  const double instant = orders_.origin + time;
  if (!flight_.track.empty() && instant - flight_.track.back().time < track_interval - 1e-6) return;
  flight_.track.push_back(point_at(instant));
}

RehearsalFlight Vehicle::finished(std::string name) const {
  RehearsalFlight flight = flight_;
  flight.name = std::move(name);
  const double end = orders_.origin + last_time_;
  if (flight.track.back().time < end) flight.track.push_back(point_at(end));
  flight.duration = end - flight.track.front().time;
  return flight;
}

}  // namespace tidewise::rehearsal
