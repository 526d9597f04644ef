#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "env/grid.h"

namespace tidewise {

enum class TrajectoryOutcome : std::uint8_t {
  arrived = 0,
  obstacle = 1,
  out_of_domain = 2,
  out_of_time = 3
};

/// How a vehicle is flown (docs/model.md, 4).
enum class RolloutMode {
  continuous,  ///< one realization carried through, bilinear in space, from the true position
  chain        ///< a fresh realization at each step, at the cell centre: the model itself
};

std::string_view to_string(RolloutMode mode);

/// Where a vehicle is at one level, and what it has spent and harvested since its departure.
struct TrajectoryPoint {
  double x = 0;  ///< [m or 1]
  double y = 0;
  float heading = 0;    ///< [rad] of the action taken here; NaN at the end
  float speed = 0;      ///< [m s-1 or 1] through the water; NaN at the end
  float energy = 0;     ///< spent so far: Σ (c_f F² + c_t) Δt, the failing step included
  float harvested = 0;  ///< gained so far: Σ c_r (g + g')/2 Δt; 0 without a scalar field
};

/// One flight. Point n is at level departure + n; the last is where it ended: in the target, where
/// it met the obstacle (in `chain` mode the centre of the cell it was carried to), outside the
/// domain, or wherever time ran out.
struct Trajectory {
  std::int32_t realization = 0;  ///< carried through; in `chain` mode the number of the flight
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double total_reward = 0;  ///< Σ r plus arrival reward or failure penalty: what v predicts
  std::vector<TrajectoryPoint> points;
};

/// All flights of one rollout.
struct RolloutResult {
  RolloutMode mode = RolloutMode::continuous;
  TimeLevel departure;
  std::vector<Trajectory> trajectories;
};

}  // namespace tidewise
