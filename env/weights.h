#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"

namespace tidewise {

/// Weights of realizations as integers that sum to `total`. Integers that sum to it already are
/// kept; others are scaled to their sum and rounded by the method of largest remainders (ties: the
/// first), so that one below some half of 1/total of the sum counts for nothing. Errors: InputError
/// when one is negative or not finite, all are 0, or their sum is beyond a double.
std::vector<std::uint32_t> to_integer_weights(const std::vector<double>& weights,
                                              std::uint32_t total = weight_total);

/// The weight of each realization, as shares that sum to 1.
std::vector<double> realization_shares(const EnvironmentInfo& info);

}  // namespace tidewise
