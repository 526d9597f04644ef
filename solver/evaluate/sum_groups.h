#pragma once

#include <cstddef>

#include "solver/evaluate/expectation_accumulator.h"

namespace tidewise {

/// One round of sum_over_cells() for code that has every cell's totals: out[g] is the sum over
/// group g of `in`, part by part. Trivially copyable.
struct SumGroups {
  const StepTotals* in = nullptr;  ///< (cell or group)
  std::size_t count = 0;           ///< of `in`
  StepTotals* out = nullptr;       ///< (group)

  static std::size_t groups_of(std::size_t count) { return (count + sum_group - 1) / sum_group; }
  /// Calls that a round takes.
  std::size_t calls() const { return groups_of(count) * StepTotals::part_count; }

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t group = n / StepTotals::part_count;
    const std::size_t part = n % StepTotals::part_count;
    const std::size_t first = group * sum_group;
    const std::size_t end = first + sum_group < count ? first + sum_group : count;
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) sum += in[i].part(part);
    out[group].part(part) = sum;
  }
};

}  // namespace tidewise
