#pragma once

#include <cstddef>

namespace tidewise::ingest {

/// Maximum number of points of a plane, or of a coordinate, that are read at once: 0.8 GB. Larger
/// dimensions are refused before memory is allocated.
inline constexpr std::size_t max_points = 100'000'000;

/// The part of a message that states the limit and the remedy.
inline constexpr const char* too_many_points =
    "and 1e8 points are read at most; choose a part with --bbox, or cut the file first (cdo "
    "sellonlatbox)";

}  // namespace tidewise::ingest
