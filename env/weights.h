#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"

namespace tidewise {

/// Weights of realizations as integers that sum to `total`. Integers that already sum to it are
/// kept. Other weights are scaled to that sum and rounded by the method of largest remainders (a
/// tie goes to the first), so a weight below about half of 1/total of the sum becomes 0. Errors:
/// InputError if a weight is negative or not finite, all are 0, or their sum overflows a double.
std::vector<std::uint32_t> to_integer_weights(const std::vector<double>& weights,
                                              std::uint32_t total = weight_total);

/// The weight of each realization, as shares that sum to 1.
std::vector<double> realization_shares(const EnvironmentInfo& info);

}  // namespace tidewise
