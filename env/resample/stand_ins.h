#pragma once

#include <cstddef>
#include <vector>

namespace tidewise {

/// A few members that replace many realizations, which are sums of the same few modes. They have
/// the realizations' mean and covariance, and each realization is a linear combination of them. A
/// linear operation on all realizations therefore needs only these members.
struct StandIns {
  std::size_t count = 0;
  std::vector<double> coefficient;  ///< (mode, stand-in)
  std::vector<double> weight;       ///< (realization, stand-in); those of a realization sum to 1
};

/// Finds stand-ins, one more than the rank of the realizations. coefficient: (mode, realization).
/// share: weights of the realizations, which sum to 1. size: norm of each mode, the root of the sum
/// of squares of its values, (mode).
StandIns find_stand_ins(const std::vector<double>& coefficient, const std::vector<double>& share,
                        const std::vector<double>& size);

}  // namespace tidewise
