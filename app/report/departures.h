#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/departures/departures.h"

namespace tidewise {

/// When to leave, and a table of at most 24 departures, evenly chosen among all; the best one is in
/// it and marked.
std::string describe_departures(const MissionProblem& run,
                                const std::vector<DepartureOutcome>& outcomes);

/// All of them: departures (level, time and date, arrival time and date, the flights as
/// summary.json has them), `best`, `no_different` (choose_departure()) and `earliest_arrival` by
/// their places among them.
nlohmann::ordered_json departures_to_json(const MissionProblem& run,
                                          const std::vector<DepartureOutcome>& outcomes);

/// All of them, a line each, for spreadsheets.
std::string departures_to_csv(const MissionProblem& run,
                              const std::vector<DepartureOutcome>& outcomes);

}  // namespace tidewise
