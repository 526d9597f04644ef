#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/levels/level_dates.h"
#include "planner/mission/request.h"
#include "solver/step/mission.h"

namespace tidewise {

/// When a mission begins and when its time is up.
struct ResolvedTimes {
  TimeLevel departure;
  double begun = 0;  ///< as Mission::begun
  TimeLevel last;
  std::int32_t decide_every = 1;  ///< steps
};

/// A mission's times as levels of its environment, and how far the departure's step has come. What
/// is not exact adds a line to `notes`: a horizon or deadline ends at the last level that is no
/// later. Errors: InputError for dates where the environment has none, or outside of them;
/// for levels beyond the last; for decisions that are no whole number of steps, or further apart
/// than the mission is long.
ResolvedTimes resolve_times(const RunRequest& request, const EnvironmentReader& environment,
                            std::vector<std::string>& notes);

/// rollout.deadlines as times after the departure [s or 1]. Errors: InputError for dates and
/// durations where the environment's times have none.
std::vector<double> resolve_deadlines(const RunRequest& request,
                                      const EnvironmentReader& environment, const Mission& mission);

/// Only the departure; `last` is that of the environment.
ResolvedTimes resolve_departure(const RunRequest& request, const EnvironmentReader& environment);

/// "12", and "12 (2024-10-29T12:00:00Z)" where levels have dates.
std::string describe_level(TimeLevel k, const LevelDates& dates);

/// Refuses a date that `key` gives where the environment has none, or one outside of its dates.
/// Errors: InputError.
void require_date_within(const RunRequest& request, const std::string& key, double date,
                         const EnvironmentReader& environment, const LevelDates& dates);

/// Like the functions above, and checks only that the environment has dates.
void require_dates(const RunRequest& request, const std::string& key, double date,
                   const EnvironmentReader& environment, const LevelDates& dates);

}  // namespace tidewise
