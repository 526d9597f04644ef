#pragma once

#include <cstddef>

namespace tidewise::ingest {

/// Points of a plane, or of a coordinate, that are read at once: 0.8 GB. More are refused by the
/// sizes of their dimensions, before memory is taken for them.
inline constexpr std::size_t max_points = 100'000'000;

/// What a refusal says of more, and what to do.
inline constexpr const char* too_many_points =
    "and 1e8 points are read at most; choose a part with --bbox, or cut the file first (cdo "
    "sellonlatbox)";

}  // namespace tidewise::ingest
