#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "mdp/backup/bellman.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Includes Q(state, action) in `best` if the state has the action.
template <class Real>
TIDEWISE_HOST_DEVICE void consider_action(const ProcessView<Real>& process, const Real* value,
                                          std::int32_t state, std::int32_t action,
                                          BestAction<Real>& best) {
  const std::int64_t row = process.row(state, action);
  const auto at = static_cast<std::size_t>(row);
  if (process.row_begin[at] == process.row_begin[at + 1]) return;
  take_better(best, row_value(process, value, row), action);
}

/// Returns the policy's `current` action if its value is within `tie` of the best, else the best
/// action. A negative `tie` always gives the best action.
template <class Real>
TIDEWISE_HOST_DEVICE std::int32_t keep_action(const ProcessView<Real>& process, const Real* value,
                                              std::int32_t state, std::int32_t current,
                                              const BestAction<Real>& best, double tie) {
  if (tie < 0 || current < 0 || current == best.action) return best.action;
  const Real current_value = row_value(process, value, process.row(state, current));
  const bool is_equal = static_cast<double>(current_value) >= static_cast<double>(best.value) - tie;
  return is_equal ? current : best.action;
}

/// Evaluation of one state, next = r_π + γ P_π value. A terminal state keeps its value.
template <class Real>
struct EvaluateState {
  ProcessView<Real> process;
  View<const std::int32_t> action;  ///< π, (state), −1 in terminal states
  View<const Real> value;           ///< (state)
  View<Real> next;                  ///< (state)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t state) const {
    next[state] = action[state] < 0
                      ? value[state]
                      : row_value(process, value.data,
                                  process.row(static_cast<std::int32_t>(state), action[state]));
  }
};

/// Effect of one improvement on values and policy.
struct PolicyStep {
  ValueChange change;               ///< T V − V
  double max = 0;                   ///< max |T V|; NaN if one of them is
  std::int64_t policy_changes = 0;  ///< states whose action changed

  TIDEWISE_HOST_DEVICE void include(const PolicyStep& other) {
    change.include(other.change);
    const bool is_number = other.max == other.max;
    max = other.max > max || !is_number ? other.max : max;
    policy_changes += other.policy_changes;
  }
};

/// Computes the PolicyStep of one state.
template <class Real>
struct ValidateState {
  View<const Real> value;                ///< V, (state)
  View<const Real> next;                 ///< T V
  View<const std::int32_t> action;       ///< before the improvement
  View<const std::int32_t> next_action;  ///< after the improvement

  TIDEWISE_HOST_DEVICE PolicyStep operator()(std::size_t state) const {
    const double change = static_cast<double>(next[state]) - static_cast<double>(value[state]);
    return {{change, change},
            std::abs(static_cast<double>(next[state])),
            next_action[state] != action[state] ? 1 : 0};
  }
};

}  // namespace tidewise::mdp
