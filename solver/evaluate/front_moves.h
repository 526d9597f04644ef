#pragma once

#include <cstddef>
#include <cstdint>

#include "base/memory/view.h"
#include "solver/evaluate/probability.h"
#include "solver/policy/policy.h"

// How probability mass goes from one front to another, cell by cell: for code whose fronts hold a
// value for every cell. The same bits as ForwardPropagation::hand_over(). Trivially copyable.

namespace tidewise {

/// Adds a cell's mass to that of another front, and leaves none.
TIDEWISE_HOST_DEVICE inline void hand_over(Probability& from, Probability& to) {
  if (from.probability > 0) {
    if (!(to.probability > 0)) to = {};  // too little for a double
    to += from;
  }
  from = {};
}

/// Mass in the place where a leg ends goes to the next leg.
struct PassPlace {
  View<const std::int32_t> cell;
  Probability* leg;   ///< (y, x)
  Probability* next;  ///< (y, x)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const auto at = static_cast<std::size_t>(cell[n]);
    hand_over(leg[at], next[at]);
  }
};

/// Mass of a leg at a level where some of it takes its action from the policy. Where the level
/// decides, the mass of all fronts goes to the front without an action, in ascending order of
/// actions; from there it goes to the fronts of the actions that the policy has.
struct AssignActions {
  View<const std::int16_t> policy;  ///< of the level, (y, x)
  View<Probability* const> hand;    ///< (action), each (y, x); null: no front has it
  Probability* undecided;           ///< without an action, (y, x)
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

}  // namespace tidewise
