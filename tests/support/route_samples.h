#pragma once

#include <string>
#include <vector>

#include "output/route/route.h"

namespace tidewise::test {

/// A route of two legs off Washington, in round numbers: what a person can check by hand. Dated, in
/// metres, with windows, a flight, a standing and a moving obstacle, and remarks.
Route small_route();

/// Routes where positions are hard to write, each with a name of its own: at negative longitudes,
/// across the 180th meridian with obstacles on it, around a pole, where equator and Greenwich meet,
/// without dates, and one of many points at the numbers' edges.
std::vector<Route> sample_routes();

}  // namespace tidewise::test
