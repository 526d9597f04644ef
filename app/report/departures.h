#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/departures/departures.h"

namespace tidewise {

/// The recommended departure, and a table of at most 24 departures, evenly chosen among all,
/// including the best one, which is marked.
std::string describe_departures(const MissionProblem& run,
                                const std::vector<DepartureOutcome>& outcomes);

/// All departures as JSON: level, time, date, arrival time and date, and the flights as in
/// summary.json. `best`, `no_different` (choose_departure()) and `earliest_arrival` are indices of
/// departures.
nlohmann::ordered_json departures_to_json(const MissionProblem& run,
                                          const std::vector<DepartureOutcome>& outcomes);

/// All departures as CSV, one per line.
std::string departures_to_csv(const MissionProblem& run,
                              const std::vector<DepartureOutcome>& outcomes);

}  // namespace tidewise
