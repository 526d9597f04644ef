#pragma once

#include <optional>
#include <vector>

#include "env/grid.h"
#include "output/run/policy_file.h"
#include "planner/problem/mission_problem.h"
#include "solver/fly/flight_end.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// Results of flights that depart at one level.
struct DepartureOutcome {
  TimeLevel level;
  double time = 0;  ///< time from level 0 to the departure [s or 1]
  RolloutStatistics flights;
  std::vector<FlightEnd> ends;  ///< end of each flight, in the order of the realizations

  /// Median arrival time of the flights that arrive, counted from level 0 [s or 1]; NaN if none
  /// arrives.
  double arrival() const { return time + flights.time.p50; }
};

/// Levels at which flights depart: every `every` levels from `first` to `last`.
struct DepartureRange {
  TimeLevel first;
  TimeLevel last;  ///< latest departure
  std::int32_t every = 1;
};

/// Flies a run's policy from its start through the mission's realizations, once from each of
/// the levels of `range` at which the policy decides and has an action at the start. Flights end
/// with the policy, so later departures have less time. Each flight stays in one realization from
/// its departure on. Results ascend by level. Errors: InputError if the policy can start at none of
/// the levels.
std::vector<DepartureOutcome> fly_departures(const MissionProblem& run, const PolicyFile& policy,
                                             const DepartureRange& range, Progress& progress);

/// The choice among departures, as indices into the outcomes. Reports lead with `earliest`.
struct DepartureChoice {
  std::optional<std::size_t>
      best;  ///< best departure by the objective; nullopt if no flight arrives
  /// All departures whose difference from the best mean is within the noise, ascending. The first
  /// one is `best`.
  std::vector<std::size_t> no_different;
  /// The departure with the earliest arrival() among those whose arrival probability is at most a
  /// hundredth below the greatest; nullopt if no flight arrives.
  std::optional<std::size_t> earliest;
};

/// Chooses a departure by the mean total reward, which includes failure penalties: the earliest
/// departure that is as good as the one with the best mean. A departure is as good if its arrival
/// rate is at most 0.01 lower and the mean difference, over the same realizations, is within the
/// noise. The noise is twice the standard error of the difference, and at least the value of half a
/// time step, because the plan counts whole steps. Requires an outcome, and flights through the
/// same realizations.
DepartureChoice choose_departure(const std::vector<DepartureOutcome>& outcomes,
                                 const EnvironmentInfo& info, const Mission& mission);

}  // namespace tidewise
