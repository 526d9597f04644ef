#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/levels/level_dates.h"
#include "planner/mission/request.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Departure and end of a mission.
struct ResolvedTimes {
  TimeLevel departure;
  double begun = 0;  ///< as Mission::begun
  TimeLevel last;
  std::int32_t decide_every = 1;  ///< steps
};

/// Returns a mission's times as levels of its environment, and the elapsed part of the departure's
/// step. A horizon or deadline between levels ends at the level before it and adds a line to
/// `notes`. Errors: InputError for dates outside of the environment's, or if it has none; for
/// levels beyond the last; for an interval of decisions that is not a whole number of steps, or is
/// longer than the mission.
ResolvedTimes resolve_times(const RunRequest& request, const EnvironmentReader& environment,
                            std::vector<std::string>& notes);

/// Returns rollout.deadlines as times after the departure [s or 1]. Errors: InputError for dates
/// and durations if the environment's times have no dates or units.
std::vector<double> resolve_deadlines(const RunRequest& request,
                                      const EnvironmentReader& environment, const Mission& mission);

/// Returns the departure; `last` is the last level of the environment.
ResolvedTimes resolve_departure(const RunRequest& request, const EnvironmentReader& environment);

/// Formats a level as "12", or as "12 (2024-10-29T12:00:00Z)" if levels have dates.
std::string describe_level(TimeLevel k, const LevelDates& dates);

/// Refuses a date of `key` if the environment has no dates, or ends before or begins after it.
/// Errors: InputError.
void require_date_within(const RunRequest& request, const std::string& key, double date,
                         const EnvironmentReader& environment, const LevelDates& dates);

/// Refuses a date of `key` if the environment has no dates. Errors: InputError.
void require_dates(const RunRequest& request, const std::string& key, double date,
                   const EnvironmentReader& environment, const LevelDates& dates);

}  // namespace tidewise
