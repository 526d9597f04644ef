#pragma once

#include <cstdint>
#include <limits>

#include "tidewise/rollout.h"

namespace tidewise {

/// How one flight ended, and what it came to.
struct FlightEnd {
  std::int32_t realization = 0;  ///< in `chain` mode the number of the flight
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double time = 0;   ///< from departure to the end [s or 1]
  float energy = 0;  ///< spent
  float harvested = 0;
  double total_reward = 0;
  double energy_left = std::numeric_limits<double>::quiet_NaN();  ///< NaN without a battery

  bool arrived() const { return outcome == TrajectoryOutcome::arrived; }
  double net_energy() const { return double(energy) - harvested; }
};

}  // namespace tidewise
