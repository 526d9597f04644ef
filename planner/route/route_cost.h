#pragma once

#include <string>
#include <vector>

#include "output/route/route.h"

namespace tidewise {

// The cost of following a route's waypoints instead of the policy. Each function requires
// Route::cost.

/// Returns a warning, with advice, if flights along the waypoints have a better total reward than
/// the policy, or if they arrive two percentage points less often, take 3 % longer on average, or,
/// if the objective counts it, need 3 % more energy; else empty.
std::string route_cost_warning(const Route& route);

/// Describes the results of flights along the waypoints and of the policy, one line each.
std::vector<std::string> describe_route_cost(const Route& route);

/// Returns the warning, if any, and these descriptions in ASCII, for Route::remarks.
std::vector<std::string> route_cost_remarks(const Route& route);

}  // namespace tidewise
