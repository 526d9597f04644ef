#pragma once

#include <string>
#include <vector>

#include "output/route/route.h"

namespace tidewise {

/// What following waypoints comes to beside the policy, in lines of ASCII: a warning first where
/// arrivals are two percentage points fewer or the mean time of those that arrive 3 % longer.
std::vector<std::string> describe_worth(const RouteWorth& worth, Units units);

/// The lines but for the warning.
std::vector<std::string> describe_figures_of_worth(const RouteWorth& worth, Units units);

/// The warning alone; empty where there is none.
std::string warn_of_worth(const RouteWorth& worth, Units units);

}  // namespace tidewise
