#pragma once

#include <array>
#include <vector>

#include "env/level_fields.h"
#include "env/points.h"
#include "solver/flight/baseline_steering.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Where flights may be at most, level by level, whatever is steered and whichever realization is
/// met: a convex polygon around the starts, each of whose sides moves outwards by the vehicle's
/// speed and the strongest current that way of any realization and profile within the polygon.
/// Flights in continuous mode leave it never. It knows of no obstacle, and it is wider than what
/// can be come to, as the current need not help everywhere and always.
class FlightBound {
 public:
  /// `speed`: the vehicle's greatest [m s-1 or 1]. Requires a start.
  FlightBound(const EnvironmentInfo& info, double speed, const std::vector<PlanePoint>& starts);

  /// Moves on from a level to the next one.
  void advance(const LevelView& level);
  /// How far off the polygon the nearest cell of the target is, as seen along its sides: 0 where it
  /// may be come to, else no flight that began at a start arrives [m or 1].
  double short_of(const Mission& mission) const;

 private:
  static constexpr std::size_t direction_count = 16;
  using Sides = std::array<double, direction_count>;

  bool is_within(const PlanePoint& point, double margin) const;

  Grid grid_;
  double step_;
  std::int32_t velocities_;
  double speed_;
  std::array<PlaneVector, direction_count> direction_;  // of unit length
  Sides side_;  // how far the polygon goes along each direction, from the origin [m or 1]
};

}  // namespace tidewise
