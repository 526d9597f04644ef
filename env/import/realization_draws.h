#pragma once

#include <cstdint>
#include <vector>

namespace tidewise::ingest {

/// Weights, (realization, member), that mix an ensemble's members into realizations drawn from the
/// Gaussian with the ensemble's covariance: independent normal numbers of variance 1 / members. A
/// realization has the same weights at all levels, so its flow is as coherent in time as that of
/// the members. The same seed gives the same weights.
std::vector<double> draw_member_weights(std::size_t realizations, std::size_t members,
                                        std::uint64_t seed);

}  // namespace tidewise::ingest
