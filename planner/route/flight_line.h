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

/// A flight that arrived as a line on the plane, from the start to the target's centre, with a test
/// for which legs may be flown straight. The centre replaces the flight's end in the target; if the
/// straight line to it is closed, it follows the end.
class FlightLine {
 public:
  /// Reads the masks of the levels of the flight. `flight` and `mission` must outlive it. Errors:
  /// those of reading. Requires two points of the flight.
  FlightLine(const EnvironmentReader& environment, const Mission& mission,
             const Trajectory& flight);

  const std::vector<PlanePoint>& points() const { return points_; }
  /// Place of the flight itself at that point: at the target its end.
  PlanePoint flown_to(std::size_t point) const {
    const TrajectoryPoint& there = flight_.points[flight_point(point)];
    return {there.x, there.y};
  }
  /// When a point is passed, in steps since the departure; the target, when the flight ends.
  double steps_to(std::size_t point) const;
  /// True if the straight leg between two points avoids all cells that are closed at any level
  /// while the flight is between them. A leg to the target is checked up to the target. The cell in
  /// which a leg begins does not count, as for a step.
  bool is_clear(std::size_t from, std::size_t to) const;
  /// True if a leg keeps all points at which a via point was passed.
  bool keeps_places(std::size_t from, std::size_t to) const;
  /// True if a leg has one dive.
  bool keeps_profile(std::size_t from, std::size_t to) const;
  /// The profile that the flight dives most of the time between two points; of equals the first.
  std::int32_t profile(std::size_t from, std::size_t to) const;
  /// For how many steps it dives another than that.
  double other_profiles(std::size_t from, std::size_t to) const;
  /// Speed through the water that the flight made on average between two points [m s-1 or 1].
  double mean_speed(std::size_t from, std::size_t to) const;

 private:
  /// (profile) Steps that the flight dives each, between two points.
  std::vector<double> steps_in(std::size_t from, std::size_t to) const;
  bool is_open(std::size_t from, std::size_t to) const;
  /// The point of the flight that a point of the line is, or whose time it has.
  std::size_t flight_point(std::size_t point) const {
    return std::min(point, flight_.points.size() - 1);
  }

  const Mission& mission_;
  const Trajectory& flight_;
  std::vector<PlanePoint> points_;
  ClosedCells closed_;
};

}  // namespace tidewise
