#pragma once

#include <string>
#include <vector>

#include "output/route/route.h"

namespace tidewise {

// The cost of following a route's waypoints instead of the policy. Each function requires
// Route::worth.

/// A warning, with advice, if flights along the waypoints have a better total reward than the
/// policy, or if they arrive two percentage points less often, take 3 % longer on average, or, if
/// the objective counts it, need 3 % more energy; else empty.
std::string warn_of_worth(const Route& route);

/// The figures of both, a line each.
std::vector<std::string> describe_figures_of_worth(const Route& route);

/// All of it in ASCII, for Route::remarks, the warning first.
std::vector<std::string> describe_worth(const Route& route);

}  // namespace tidewise
