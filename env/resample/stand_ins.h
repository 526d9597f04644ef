#pragma once

#include <cstddef>
#include <vector>

namespace tidewise {

/// Few members in place of many realizations that are sums of the same few modes: their mean is the
/// realizations', their spread no other, and each realization is a mixture of them. What is linear
/// is therefore known of all realizations once it is known of these.
struct StandIns {
  std::size_t count = 0;
  std::vector<double> coefficient;  ///< (mode, stand-in)
  std::vector<double> weight;       ///< (realization, stand-in); those of a realization sum to 1
};

/// One more than the modes that realizations differ by. coefficient: (mode, realization). share:
/// what realizations count for, summing to 1. size: what a coefficient of 1 adds to the flow, root
/// of the sum of squares, (mode).
StandIns find_stand_ins(const std::vector<double>& coefficient, const std::vector<double>& share,
                        const std::vector<double>& size);

}  // namespace tidewise
