#pragma once

#include <cstddef>
#include <cstdint>

#include "base/memory/view.h"
#include "solver/evaluate/expectation_accumulator.h"
#include "solver/evaluate/probability.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Moves a cell's mass to that of another front.
TIDEWISE_HOST_DEVICE inline void hand_over(Probability& from, Probability& to) {
  if (from.probability > 0) {
    if (!(to.probability > 0)) to = {};  // its probability underflowed to 0
    to += from;
  }
  from = {};
}

/// Moves the mass in the cells where a leg ends to the next leg.
struct PassViaPoint {
  View<const std::int32_t> cell;
  Probability* leg;   ///< (y, x)
  Probability* next;  ///< (y, x)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const auto at = static_cast<std::size_t>(cell[n]);
    hand_over(leg[at], next[at]);
  }
};

/// Distributes the mass of a leg over its fronts, at a level where some of it takes its action from
/// the policy. If the level decides, the mass of all fronts first goes to the front without an
/// action, in ascending order of actions. From there it goes to the fronts of the policy's actions.
struct AssignActions {
  View<const std::int16_t> policy;  ///< policy at the level, (y, x)
  View<Probability* const> hand;    ///< (action), each (y, x); null: no front has this action
  Probability* undecided;           ///< front without an action, (y, x)
  bool decides;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t cell) const {
    for (std::size_t a = 0; decides && a < hand.size; ++a) {
      if (hand[a] != nullptr) hand_over(hand[a][cell], undecided[cell]);
    }
    const std::int16_t action = policy[cell];
    if (action == no_action) return;
    hand_over(undecided[cell], hand[static_cast<std::size_t>(action)][cell]);
  }
};

/// One round of sum_over_cells() over the totals of every cell, for several members at once: `out`
/// is the sum over each group of `in`, separately for each number of StepTotals. Trivially
/// copyable.
struct SumGroups {
  const StepTotals* in = nullptr;  ///< (member, cell or group)
  std::size_t count = 0;           ///< number of cells or groups of a member
  StepTotals* out = nullptr;       ///< (member, group)
  std::size_t members = 1;

  /// Number of groups of `count` cells.
  static std::size_t groups_of(std::size_t count) { return (count + sum_group - 1) / sum_group; }
  /// Number of calls of a round.
  std::size_t calls() const { return members * groups_of(count) * StepTotals::part_count; }

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t place = n / StepTotals::part_count;
    const std::size_t part = n % StepTotals::part_count;
    const std::size_t groups = (count + sum_group - 1) / sum_group;
    const StepTotals* member_terms = in + place / groups * count;
    const std::size_t first = place % groups * sum_group;
    const std::size_t end = first + sum_group < count ? first + sum_group : count;
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) sum += member_terms[i].part(part);
    out[place].part(part) = sum;
  }
};

}  // namespace tidewise
