#pragma once

#include "env/points.h"
#include "output/run/policy_file.h"
#include "output/view/run_view.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Flies a policy from `start` at each departure and in each realization that 'tidewise departures'
/// compares, or, above 10 000 flights, in a sample of at most 24 departures and 125 realizations.
/// Sets facts["departures"] of `view`: {"level", "arrival", "arrival_p05", "arrival_p95", "chance",
/// "rounding"}, an array each: levels of the environment (null where no flight arrives), shares,
/// and steps to which reports round the arrival [s or 1]; "best", "earliest" and "no_different" as
/// choose_departure() returns them, "flights" from each, and "sampled". Sets nothing for a mission
/// that keeps to a place, where there are no two departures to choose from, and for an environment
/// that takes longer to read, of which a note says so. Errors: InputError for what cannot be flown.
void read_departures(const PolicyFile& policy, RunRequest request, const PlanePoint& start,
                     RunView& view);

}  // namespace tidewise
