#pragma once

#include <cstddef>

#include "solver/evaluate/expectation_accumulator.h"

namespace tidewise {

/// One round of sum_over_cells() for code that has every cell's totals, of several members at once:
/// `out` is the sum over each group of `in`, part by part. Trivially copyable.
struct SumGroups {
  const StepTotals* in = nullptr;  ///< (member, cell or group)
  std::size_t count = 0;           ///< of a member's
  StepTotals* out = nullptr;       ///< (member, group)
  std::size_t members = 1;

  static std::size_t groups_of(std::size_t count) { return (count + sum_group - 1) / sum_group; }
  /// Calls that a round takes.
  std::size_t calls() const { return members * groups_of(count) * StepTotals::part_count; }

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t place = n / StepTotals::part_count;
    const std::size_t part = n % StepTotals::part_count;
    const std::size_t groups = (count + sum_group - 1) / sum_group;
    const StepTotals* of_member = in + place / groups * count;
    const std::size_t first = place % groups * sum_group;
    const std::size_t end = first + sum_group < count ? first + sum_group : count;
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) sum += of_member[i].part(part);
    out[place].part(part) = sum;
  }
};

}  // namespace tidewise
