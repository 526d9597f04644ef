#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tidewise::mdp {

/// Rows whose probabilities did not sum to 1 within the precision of their source, and were divided
/// by their sum: a decimal number such as 0.333333 means a third.
struct ScaledRows {
  std::int64_t count = 0;
  double max = 0;  ///< largest |sum − 1|

  void include(double sum) {
    ++count;
    max = std::max(max, std::abs(sum - 1));
  }
};

/// True if a row of `entries` numbers of precision `Real` sums to 1 within their rounding and that
/// of the sum.
template <class Real>
bool sums_to_one(double sum, std::size_t entries) {
  const double rounding_of_entries =
      4.0 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  const double rounding_of_sum =
      2.0 * static_cast<double>(entries) * std::numeric_limits<double>::epsilon();
  return std::abs(sum - 1) <= rounding_of_entries + rounding_of_sum;
}

}  // namespace tidewise::mdp
