#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mdp/graph/strong_components.h"
#include "mdp/interval/reward_rows.h"
#include "mdp/process/value_range.h"

namespace tidewise::mdp {

/// What the signs of rewards say of the optimum, without any arithmetic.
struct RewardSigns {
  bool none_is_negative = false;  ///< of rewards and of what ends are worth
  bool none_is_positive = false;
  std::vector<std::uint8_t> is_zero = {};  ///< (state): the optimum is 0
  ValueRange range = {};

  bool is_one() const { return none_is_negative || none_is_positive; }
  void clip(std::size_t state, double& lower, double& upper) const {
    range.clip(lower);
    range.clip(upper);
    if (!is_zero.empty() && is_zero[state] != 0) lower = upper = 0;
  }
};

/// A state's optimum is 0 where no reward is negative and none above 0 can be reached; or where
/// none is positive and some action after another brings 0 to an end that is worth 0: nobody goes
/// round for nothing in what is collapsed.
template <class Real>
RewardSigns signs_of(const RewardRows<Real>& rows, const StateGroups& order) {
  if (rows.is_shifted()) return {};
  const DecisionProcess<Real>& process = rows.solved();
  RewardSigns signs{true, true, {}, value_range(process, false)};
  const auto see = [&](double number) {
    if (number < 0) signs.none_is_negative = false;
    if (number > 0) signs.none_is_positive = false;
  };
  const auto end_value = [&](std::int32_t state) {
    return process.initial_value.empty()
               ? 0
               : static_cast<double>(process.initial_value[static_cast<std::size_t>(state)]);
  };
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (process.is_terminal(state)) see(end_value(state));
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      see(rows.reward(process.row(state, action)));
    }
  }
  if (!signs.is_one()) return signs;
  std::vector<std::uint8_t>& zero = signs.is_zero;
  zero.assign(static_cast<std::size_t>(process.state_count), 1);
  const auto stays_zero = [&](std::int64_t row) {
    if (rows.reward(row) != 0) return false;
    bool all = true;
    rows.for_entries(row, [&](std::int32_t to, double probability) {
      all = all && (!(probability > 0) || zero[static_cast<std::size_t>(to)] != 0);
    });
    return all;
  };
  const auto may_be_zero = [&](std::int32_t state) {
    if (process.is_terminal(state)) return end_value(state) == 0;
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t row = process.row(state, action);
      if (!process.is_allowed(row)) continue;
      if (stays_zero(row) != signs.none_is_negative) return signs.none_is_positive;
    }
    return signs.none_is_negative;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::int32_t state : order.states) {
      std::uint8_t& is = zero[static_cast<std::size_t>(state)];
      if (is == 0 || may_be_zero(state)) continue;
      is = 0;
      changed = true;
    }
  }
  return signs;
}

}  // namespace tidewise::mdp
