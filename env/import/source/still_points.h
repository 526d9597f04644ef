#pragma once

#include <cstdint>
#include <vector>

#include "env/import/source/variable_series.h"

namespace tidewise::ingest {

/// The points of `box` that are at rest whenever they hold a value, in some member: many models
/// write land as a velocity of 0, and no water stands exactly still for good. `components` are u
/// and v on the same points, or one of them on points of its own (Arakawa's C grid).
///
/// A point that is missing at some times and 0 at all others is one; a point that is always missing
/// is not. Of packed integers the step next to 0 counts as 0, which packing may have moved. Reads
/// the first and last time of every file, and the others only where there is such a point. (row,
/// column) of one level
std::vector<std::uint8_t> find_still_points(const std::vector<const VariableSeries*>& components,
                                            const PointBox& box, std::size_t level = 0);

}  // namespace tidewise::ingest
