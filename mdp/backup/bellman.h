#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// The best action of a state and its value.
template <class Real>
struct BestAction {
  Real value = 0;
  std::int32_t action = -1;  ///< −1: a terminal state, whose value is unchanged
};

/// Q(s, a) = r + γ Σ p v(s') of a row, for all methods, layouts and backends: the sum uses fused
/// multiply-add from 0 in the order of successors, then one more for reward and discount. Sweeps
/// that read the same values therefore give the same bits everywhere.
template <class Real>
TIDEWISE_HOST_DEVICE Real close_row(Real expected, Real discount, Real reward) {
  return std::fma(discount, expected, reward);
}

/// Q(s, a) of a row. `value`: values by state, a pointer or an object with operator[].
template <class Real, class Values>
TIDEWISE_HOST_DEVICE Real row_value(const ProcessView<Real>& process, const Values& value,
                                    std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  const std::int64_t end = process.row_begin[at + 1];
  Real expected = 0;
  for (std::int64_t n = process.row_begin[at]; n < end; ++n) {
    const auto entry = static_cast<std::size_t>(n);
    expected = std::fma(process.probability[entry], value[process.successor[entry]], expected);
  }
  return close_row(expected, process.discount, process.reward[at]);
}

/// Considers Q of one more action, in ascending order: the lowest action wins a tie.
template <class Real>
TIDEWISE_HOST_DEVICE void take_better(BestAction<Real>& best, Real value, std::int32_t action) {
  if (best.action < 0 || value > best.value) best = {value, action};
}

/// The better of two groups of actions, independent of the order of groups: the lowest action wins
/// a tie, as in take_better().
template <class Real>
TIDEWISE_HOST_DEVICE BestAction<Real> better_of(const BestAction<Real>& group,
                                                const BestAction<Real>& other) {
  if (other.action < 0) return group;
  if (group.action < 0 || other.value > group.value) return other;
  return other.value == group.value && other.action < group.action ? other : group;
}

/// max_a Q(s, a). `value` as for row_value(). A terminal state keeps `present`, its value.
template <class Real, class Values>
TIDEWISE_HOST_DEVICE BestAction<Real> best_action(const ProcessView<Real>& process,
                                                  const Values& value, std::int32_t state,
                                                  Real present) {
  BestAction<Real> best{present, -1};
  for (std::int32_t action = 0; action < process.action_count; ++action) {
    const std::int64_t row = process.row(state, action);
    const auto at = static_cast<std::size_t>(row);
    if (process.row_begin[at] == process.row_begin[at + 1]) continue;
    take_better(best, row_value(process, value, row), action);
  }
  return best;
}

/// As above, with the state's present value from `value`, (state).
template <class Real, class Values>
TIDEWISE_HOST_DEVICE BestAction<Real> best_action(const ProcessView<Real>& process,
                                                  const Values& value, std::int32_t state) {
  return best_action(process, value, state, static_cast<Real>(value[state]));
}

}  // namespace tidewise::mdp
