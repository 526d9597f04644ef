#pragma once

#include <string>
#include <vector>

#include "output/route/route.h"

namespace tidewise {

// What following a route's waypoints comes to beside the policy. Each requires Route::worth.

/// A line where those who follow the waypoints do better than the policy by the mission's own
/// measure, or where arrivals are two percentage points fewer than the policy's, the mean time of
/// those that arrive 3 % longer, or, where the objective counts it, their energy 3 % more, with
/// what to do; else empty.
std::string warn_of_worth(const Route& route);

/// The figures of both, a line each.
std::vector<std::string> describe_figures_of_worth(const Route& route);

/// All of it in ASCII, for Route::remarks, the warning first.
std::vector<std::string> describe_worth(const Route& route);

}  // namespace tidewise
