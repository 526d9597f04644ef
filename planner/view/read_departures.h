#pragma once

#include "env/points.h"
#include "output/run/policy_file.h"
#include "output/view/run_view.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Flies a policy from each of at most 24 departures, evenly spread over its levels, from `start`,
/// by at most 3000 flights in all, so that it takes some seconds at most, and sets
/// facts["departures"] of `view`: {"level", "arrival", "arrival_p05", "arrival_p95", "chance"}, an
/// array each, of levels of the environment (of what arrives; null where none does) and shares,
/// "best", "earliest" and "no_different" as choose_departure() returns them, "flights" from each,
/// and "sampled", which is true where the command compares more. Sets nothing for a mission that
/// keeps to a place, where there are no two departures to choose from, and for an environment that
/// takes longer to read, of which a note says so. Errors: InputError for what cannot be flown.
void read_departures(const PolicyFile& policy, RunRequest request, const PlanePoint& start,
                     RunView& view);

}  // namespace tidewise
