#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "solver/flight/baseline_steering.h"

namespace tidewise {

/// Times at which one flight reached and passed its waypoints, in steps after the level of
/// departure; NaN if it did not.
class WaypointRecord {
 public:
  /// For a flight with this many waypoints.
  explicit WaypointRecord(std::size_t goals)
      : reached_(goals, std::numeric_limits<double>::quiet_NaN()),
        passed_(reached_),
        nearest_(goals, std::numeric_limits<double>::infinity()) {}

  /// Records that waypoint `goal` is reached; it cannot be passed earlier.
  void reach(std::int32_t goal, double time) {
    const auto n = static_cast<std::size_t>(goal);
    reached_[n] = passed_[n] = time;
  }

  /// Records a straight movement of the vehicle from `from` to `to`. A waypoint is passed at the
  /// point nearest to it, between the time when it is reached and the time when the vehicle leaves
  /// its circle. `place_of`(n): position of waypoint n; `goal`: the next waypoint to reach.
  template <class PlaceOf>
  void follow(const PlaneVector& from, const PlaneVector& to, double begin, double end,
              std::int32_t goal, double radius, PlaceOf place_of) {
    for (auto n = static_cast<std::size_t>(first_open_); n < static_cast<std::size_t>(goal); ++n) {
      if (nearest_[n] < 0) continue;  // its circle was left
      const PlaneVector place = place_of(n);
      const double share = nearest_share(from, to, place);
      const double distance = std::hypot(from.x + share * (to.x - from.x) - place.x,
                                         from.y + share * (to.y - from.y) - place.y);
      if (distance < nearest_[n]) {
        nearest_[n] = distance;
        passed_[n] = std::max(reached_[n], begin + share * (end - begin));
      }
      if (std::hypot(to.x - place.x, to.y - place.y) > radius) nearest_[n] = -1;
    }
    while (first_open_ < goal && nearest_[static_cast<std::size_t>(first_open_)] < 0) ++first_open_;
  }

  /// Records arrival at the target's edge. The target's point is passed `steps_to_point` steps
  /// later.
  void arrive(double time, double steps_to_point) {
    reached_.back() = time;
    passed_.back() = time + steps_to_point;
  }

  const std::vector<double>& reached() const { return reached_; }

  /// Times in the order of the waypoints; none is earlier than that of the waypoint before it.
  std::vector<double> passed() const {
    std::vector<double> times = passed_;
    double before = -std::numeric_limits<double>::infinity();
    for (double& time : times) {
      if (std::isnan(time)) continue;
      before = time = std::max(time, before);
    }
    return times;
  }

 private:
  // Fraction of the path from `from` to `to` at which it is nearest to `place`.
  static double nearest_share(const PlaneVector& from, const PlaneVector& to,
                              const PlaneVector& place) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double squared = dx * dx + dy * dy;
    if (!(squared > 0)) return 0;
    return std::clamp(((place.x - from.x) * dx + (place.y - from.y) * dy) / squared, 0.0, 1.0);
  }

  std::vector<double> reached_;  // (goal)
  std::vector<double> passed_;   // (goal)
  std::vector<double> nearest_;  // (goal): smallest distance so far; negative: its circle was left
  std::int32_t first_open_ = 0;  // first goal whose circle was not left
};

}  // namespace tidewise
