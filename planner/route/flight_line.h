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

/// A flight that arrived as a line on the plane, from the start to the target's centre, and which
/// legs of it may be flown straight. The centre takes the place of the flight's end in the target,
/// unless the straight way there is closed: then it comes after that.
class FlightLine {
 public:
  /// Reads the masks of the levels of the flight. `flight` and `mission` must outlive it. Errors:
  /// those of reading. Requires two points of the flight.
  FlightLine(const EnvironmentReader& environment, const Mission& mission,
             const Trajectory& flight);

  const std::vector<PlanePoint>& points() const { return points_; }
  /// Where the flight itself is then: its end, where that is the target.
  PlanePoint flown_to(std::size_t point) const {
    const TrajectoryPoint& there = flight_.points[flight_point(point)];
    return {there.x, there.y};
  }
  /// When a point is passed, in steps since the departure; the target, when the flight ends.
  double steps_to(std::size_t point) const;
  /// Whether the straight leg between two points meets no cell that is closed at any level while
  /// the flight is between them. A leg to the target is looked at until it meets that. The cell
  /// that a leg begins in does not bar it, as no step is barred by the one that it starts in.
  bool is_clear(std::size_t from, std::size_t to) const;
  /// Whether a leg leaves out no point at which a place of the mission's way (mission.via) was
  /// passed.
  bool keeps_places(std::size_t from, std::size_t to) const;
  /// Whether all of a leg dives the same.
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
