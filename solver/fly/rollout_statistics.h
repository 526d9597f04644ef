#pragma once

#include <cstdint>

#include "env/environment_info.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// A distribution in six numbers; all NaN when it is empty. The quantile p is the smallest value
/// that a share p of the weight does not exceed (the inverse of the empirical distribution), so it
/// is always one of the values.
struct Spread {
  double mean, min, max, p05, p50, p95;
};

/// Failed flights of each kind, counted without weights.
struct FailureCounts {
  std::int64_t obstacle = 0;
  std::int64_t out_of_domain = 0;
  std::int64_t out_of_time = 0;
};

struct RolloutStatistics {
  std::int64_t trajectories = 0;
  double arrival_rate = 0;  ///< weighted share of flights that arrive; NaN without flights
  /// How many flights of equal weight say as much of a share, (Σ w)² / Σ w².
  double effective_flights = 0;
  Spread time = {};        ///< [s or 1] over arrived flights
  Spread energy = {};      ///< spent, over arrived flights
  Spread net_energy = {};  ///< spent less harvested, over arrived flights
  FailureCounts failures;
  double mean_total_reward = 0;    ///< over all flights: beside value_at_start
  double standard_error = 0;       ///< of mean_total_reward; NaN with fewer than two flights
  double time_standard_error = 0;  ///< of time.mean; NaN with fewer than two that arrived
};

/// Flights through a realization count for its weight where the environment has weights; flights in
/// `chain` mode, which draw by weight, count alike.
RolloutStatistics summarize(const RolloutResult& rollout, const EnvironmentInfo& info);

}  // namespace tidewise
