#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mdp/backup/bellman.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Q(s, a) in double over rows and values of either precision, for validation of results.
template <class Real>
double exact_row_value(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                       std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  double expected = 0;
  for (auto n = process.row_begin[at]; n < process.row_begin[at + 1]; ++n) {
    const auto entry = static_cast<std::size_t>(n);
    if (!(process.probability[entry] > 0)) continue;  // 0 times an infinite value counts as 0
    const auto next = static_cast<std::size_t>(process.successor[entry]);
    expected = std::fma(static_cast<double>(process.probability[entry]),
                        static_cast<double>(value[next]), expected);
  }
  return close_row(expected, process.discount, static_cast<double>(process.reward[at]));
}

}  // namespace tidewise::mdp
