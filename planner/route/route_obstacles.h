#pragma once

#include <vector>

#include "env/file/reader.h"
#include "output/route/route.h"
#include "planner/route/route_places.h"

namespace tidewise {

/// The closed cells of levels `first` to `last` as polygons: those that are closed at all of them
/// once, as standing; the others by the levels at which they are closed, levels of equal masks
/// together. A level counts until the next one, and steps look at both of their ends. Errors: those
/// of reading.
std::vector<RouteObstacle> find_obstacles(const EnvironmentReader& environment, TimeLevel first,
                                          TimeLevel last, const RoutePlaces& places);

}  // namespace tidewise
