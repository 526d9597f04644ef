#pragma once

#include <cstdint>
#include <vector>

namespace tidewise::ingest {

/// Weights that mix an ensemble's members into realizations drawn from the Gaussian that has the
/// ensemble's covariance: (realization, member), independent normal numbers of variance 1 /
/// members. A realization keeps its weights at all levels, so that its flow is as coherent in time
/// as the members' own. The same seed gives the same weights.
std::vector<double> draw_member_weights(std::size_t realizations, std::size_t members,
                                        std::uint64_t seed);

}  // namespace tidewise::ingest
