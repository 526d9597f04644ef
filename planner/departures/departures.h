#pragma once

#include <optional>
#include <vector>

#include "env/grid.h"
#include "output/run/policy_file.h"
#include "planner/run/mission_run.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// What came of flights that left at a level.
struct DepartureOutcome {
  TimeLevel level;
  double time = 0;  ///< of the departure, after that of level 0 [s or 1]
  RolloutStatistics flights;

  /// When they arrive on average, on the same clock; NaN where none does.
  double arrival() const { return time + flights.time.mean; }
};

/// Every how many levels to leave, and between which.
struct DepartureRange {
  TimeLevel first;
  TimeLevel last;  ///< at the latest
  std::int32_t every = 1;
};

/// Flies a run's policy through the realizations that its mission flies through, from its start, at
/// each of those levels at which the policy can be begun with: it decides there, and speaks of the
/// start. Flights end with the policy, so the later the less time they have. No statistics but
/// those of flights: a realization is one ocean from the departure on. Ascending. Errors:
/// InputError where the policy can be begun with at none of them.
std::vector<DepartureOutcome> fly_departures(const MissionRun& run, const PolicyFile& policy,
                                             const DepartureRange& range, Progress& progress);

/// Of outcomes, at least one: that with the best mean of what the mission is after, failures at
/// their prices; the first of equals.
const DepartureOutcome& best_departure(const std::vector<DepartureOutcome>& outcomes);

/// That with the earliest mean arrival of those whose chance of arriving is at most a hundredth
/// below the best one's; nothing where none arrives.
std::optional<DepartureOutcome> earliest_arrival(const std::vector<DepartureOutcome>& outcomes);

}  // namespace tidewise
