#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"

namespace tidewise {

enum class TrajectoryOutcome : std::uint8_t {
  arrived = 0,
  obstacle = 1,
  out_of_domain = 2,
  out_of_time = 3
};

/// Where a vehicle is at one level, and what it has spent and harvested since its departure.
struct TrajectoryPoint {
  double x = 0;            ///< [m or 1]
  double y = 0;
  float heading = 0;       ///< [rad] of the action taken here; NaN at the end
  float speed = 0;         ///< [m s-1 or 1] through the water; NaN at the end
  float energy = 0;        ///< spent so far: Σ (c_f F² + c_t) Δt
  float harvested = 0;     ///< gained so far: Σ c_r (g + g')/2 Δt
};

/// One flight. Point n is at level departure + n; the last is where it ended.
struct Trajectory {
  std::int32_t realization = 0;  ///< carried through; in `chain` mode the number of the flight
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double total_reward = 0;       ///< Σ r plus arrival reward or failure penalty: what v predicts
  std::vector<TrajectoryPoint> points;
};

/// All flights of one rollout.
struct RolloutResult {
  TimeLevel departure;
  std::vector<Trajectory> trajectories;
};

}  // namespace tidewise
