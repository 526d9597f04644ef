#pragma once

#include <string>

#include "output/route/format.h"

namespace tidewise {

/// A line for each waypoint: name, place, estimated time of arrival, course and speed of the leg.
std::string to_csv(const Route& route, const FormatOptions& options);

}  // namespace tidewise
