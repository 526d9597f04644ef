#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/process/decision_process.h"
#include "tidewise/solving.h"

namespace tidewise::mdp {

/// Bounds of the values of all policies, valid despite rounding, because probabilities are from 0
/// to 1.
struct ValueRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();

  template <class Number>
  void clip(Number& value) const {
    value = std::max(value, static_cast<Number>(min));
    value = std::min(value, static_cast<Number>(max));
  }
  template <class Number>
  void clip_all(std::vector<Number>& values) const {
    for (Number& value : values) clip(value);
  }
  /// The range in the user's sign: negated if costs are minimized.
  ValueRange with_sign_of(Direction direction) const {
    return direction == Direction::minimize ? ValueRange{0 - max, 0 - min} : *this;
  }
};

/// The range without rewards: a value is a fraction of a terminal state's value, or 0.
/// `is_horizon`: each state is terminal, as in backward induction.
template <class Real>
ValueRange range_of_ends(const DecisionProcess<Real>& process, bool is_horizon) {
  ValueRange range{0, 0};
  if (process.initial_value.empty()) return range;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (!is_horizon && !process.is_terminal(state)) continue;
    const auto initial = static_cast<double>(process.initial_value[state]);
    range.min = std::min(range.min, initial);
    range.max = std::max(range.max, initial);
  }
  return range;
}

/// The range with rewards, of which only the signs are used.
template <class Real>
ValueRange value_range(const DecisionProcess<Real>& process, bool is_horizon) {
  ValueRange range = range_of_ends(process, is_horizon);
  for (const Real reward : process.reward) {
    if (reward < 0) range.min = ValueRange{}.min;
    if (reward > 0) range.max = ValueRange{}.max;
  }
  return range;
}

}  // namespace tidewise::mdp
