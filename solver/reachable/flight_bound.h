#pragma once

#include <array>
#include <vector>

#include "env/level_fields.h"
#include "env/points.h"
#include "solver/flight/baseline_steering.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Bound on the positions of flights, level by level, for any steering and any realization: a
/// convex polygon around the starts. Each side moves outwards by the vehicle's speed plus the
/// strongest current in that direction of any realization and profile within the polygon. Flights
/// in continuous mode never leave it. It ignores obstacles and is wider than the true reach,
/// because the current is not that strong everywhere.
class FlightBound {
 public:
  /// `speed`: the vehicle's maximum speed [m s-1 or 1]. Requires at least one start.
  FlightBound(const EnvironmentInfo& info, double speed, const std::vector<PlanePoint>& starts);

  /// Extends the bound by the step from `level` to the next level.
  void advance(const LevelView& level);
  /// Distance between the polygon and the nearest cell of the target, perpendicular to the
  /// polygon's sides [m or 1]. If it is positive, no flight that began at a start arrives.
  double short_of(const Mission& mission) const;

 private:
  static constexpr std::size_t direction_count = 16;
  using Sides = std::array<double, direction_count>;

  bool is_within(const PlanePoint& point, double margin) const;

  Grid grid_;
  double step_;
  std::int32_t velocities_;
  double speed_;
  std::array<PlaneVector, direction_count> direction_;  // unit vectors
  Sides side_;  // (direction): extent of the polygon from the origin [m or 1]
};

}  // namespace tidewise
