#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "solver/flight/baseline_steering.h"

namespace tidewise {

/// When one flight reached its waypoints, and when it passed them. All times are in steps after the
/// level of the departure, NaN where there is none.
class WaypointRecord {
 public:
  explicit WaypointRecord(std::size_t goals)
      : reached_(goals, std::numeric_limits<double>::quiet_NaN()),
        passed_(reached_),
        nearest_(goals, std::numeric_limits<double>::infinity()) {}

  /// Waypoint `goal` counts as reached; it is passed no earlier.
  void reach(std::int32_t goal, double when) {
    const auto n = static_cast<std::size_t>(goal);
    reached_[n] = passed_[n] = when;
  }

  /// The vehicle went straight from `from` to `to` in the time between. A waypoint is passed where
  /// the vehicle is nearest to it, from when it is reached until the vehicle leaves its circle.
  /// `places`: of the waypoints; `goal`: the next one to reach.
  template <class PlaceOf>
  void follow(const PlaneVector& from, const PlaneVector& to, double begin, double end,
              std::int32_t goal, double radius, PlaceOf place_of) {
    for (auto n = static_cast<std::size_t>(open_); n < static_cast<std::size_t>(goal); ++n) {
      if (nearest_[n] < 0) continue;  // left
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
    while (open_ < goal && nearest_[static_cast<std::size_t>(open_)] < 0) ++open_;
  }

  /// The target was entered at its edge; its point is passed so much later.
  void arrive(double when, double to_its_point) {
    reached_.back() = when;
    passed_.back() = when + to_its_point;
  }

  const std::vector<double>& reached() const { return reached_; }

  /// In the order of the waypoints: none is passed before those ahead of it.
  std::vector<double> passed() const {
    std::vector<double> times = passed_;
    double before = -std::numeric_limits<double>::infinity();
    for (double& when : times) {
      if (std::isnan(when)) continue;
      before = when = std::max(when, before);
    }
    return times;
  }

 private:
  /// Of the way from `from` to `to`, where it is nearest to `place`.
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
  std::vector<double> nearest_;  // (goal) distance so far; below 0: its circle is left
  std::int32_t open_ = 0;        // the circles of all goals before it are left
};

}  // namespace tidewise
