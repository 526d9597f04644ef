#pragma once

#include <string>
#include <vector>

#include "output/route/route.h"

namespace tidewise::test {

/// Returns a route of two legs off Washington, in round numbers that are easy to check. It has
/// dates, metres, windows, flights, a fixed and a moving obstacle, and remarks.
Route small_route();

/// Returns routes whose positions are hard to write, each with its own name: at negative
/// longitudes, across the 180th meridian with obstacles on it, around a pole, around latitude and
/// longitude 0, without dates, and one of many points with extreme numbers.
std::vector<Route> sample_routes();

}  // namespace tidewise::test
