#pragma once

#include <cstdint>
#include <limits>

#include "tidewise/rollout.h"

namespace tidewise {

/// End of one flight, with its totals.
struct FlightEnd {
  std::int32_t realization = 0;  ///< in `chain` mode the flight's number
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double time = 0;   ///< from departure to the end [s or 1]
  float energy = 0;  ///< spent
  float harvested = 0;
  double total_reward = 0;
  double energy_left = std::numeric_limits<double>::quiet_NaN();  ///< NaN without a battery

  /// True if the flight reached the target.
  bool arrived() const { return outcome == TrajectoryOutcome::arrived; }
  /// Energy spent minus energy harvested.
  double net_energy() const { return double(energy) - harvested; }
};

}  // namespace tidewise
