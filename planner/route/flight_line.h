#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "env/file/reader.h"
#include "solver/route/closed_cells.h"
#include "solver/route/simplification.h"
#include "solver/step/mission.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// The line of a flight that arrives, on the plane from the start to the target's centre, with a
/// test of straight legs. The centre replaces the flight's end in the target. If the straight line
/// to it is closed, the line passes the flight's end first.
class FlightLine {
 public:
  /// Reads the masks of the levels of the flight. `flight` and `mission` must outlive it. Errors:
  /// those of reading. Requires two points of the flight.
  FlightLine(const EnvironmentReader& environment, const Mission& mission,
             const Trajectory& flight);

  const std::vector<PlanePoint>& points() const { return points_; }
  /// Returns the position of the flight at a point; for the target, the flight's end.
  PlanePoint flown_to(std::size_t point) const {
    const TrajectoryPoint& flown = flight_.points[flight_point(point)];
    return {flown.x, flown.y};
  }
  /// Returns the steps from the departure to a point; for the target, to the flight's end.
  double steps_to(std::size_t point) const;
  /// True if the straight leg between two points avoids all cells that are closed at any level
  /// while the flight is between them. A leg to the target is checked up to the target. The cell in
  /// which a leg begins does not count, as for a step.
  bool is_clear(std::size_t from, std::size_t to) const;
  /// True if a leg keeps all points at which a via point was passed.
  bool keeps_places(std::size_t from, std::size_t to) const;
  /// True if the flight dives only one profile in a leg.
  bool keeps_profile(std::size_t from, std::size_t to) const;
  /// Returns the profile that the flight dives for the longest time between two points; of equal
  /// ones, the first.
  std::int32_t profile(std::size_t from, std::size_t to) const;
  /// Returns the number of steps with another profile.
  double other_profiles(std::size_t from, std::size_t to) const;
  /// Returns the flight's mean speed through the water between two points [m s-1 or 1].
  double mean_speed(std::size_t from, std::size_t to) const;

 private:
  /// Returns the steps that the flight dives each profile between two points (profile).
  std::vector<double> steps_in(std::size_t from, std::size_t to) const;
  bool is_open(std::size_t from, std::size_t to) const;
  /// Returns the flight's point at a point of the line; for the target, the flight's end.
  std::size_t flight_point(std::size_t point) const {
    return std::min(point, flight_.points.size() - 1);
  }

  const Mission& mission_;
  const Trajectory& flight_;
  std::vector<PlanePoint> points_;
  ClosedCells closed_;
};

}  // namespace tidewise
