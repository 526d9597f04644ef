#pragma once

#include "env/points.h"
#include "output/run/policy_file.h"
#include "output/view/run_view.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Flies a policy from `start` at each departure and in each realization that 'tidewise departures'
/// compares, or, above 10 000 flights, in a sample of at most 24 departures and 125 realizations.
/// Sets facts["departures"] of `view`: the arrays {"level", "arrival", "arrival_p05",
/// "arrival_p95", "chance", "rounding"}: levels of the environment (null if no flight arrives),
/// shares, and steps to which reports round the arrival [s or 1]; "best", "earliest" and
/// "no_different" as choose_departure() returns them, "flights" from each, and "sampled". Sets
/// nothing for station keeping, which has no choice of departures. An environment that takes too
/// long to read sets nothing but a note. Errors: InputError if the policy cannot be flown.
void read_departures(const PolicyFile& policy, RunRequest request, const PlanePoint& start,
                     RunView& view);

}  // namespace tidewise
