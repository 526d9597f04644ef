#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "solver/step/landing_rule.h"
#include "solver/step/landing_value.h"
#include "solver/step/reward.h"

namespace tidewise {

/// Computes the value of a landing, W(s, a, Δ) of docs/model.md, 3.1, in the step from level k.
/// Trivially copyable.
struct OutcomeRule {
  LandingRule landing;
  FailurePenalties failure;
  float arrival_reward = 0;
  float harvest = 0;              ///< see harvest_factor()
  View<const float> value_next;   ///< v(k+1, ·), (y, x)
  View<const float> scalar_now;   ///< g at k, (y, x); empty if `harvest` is 0
  View<const float> scalar_next;  ///< g at k+1

  /// W of a step from cell (column, row) to the offset `to` that ends with `end`. `action_part`:
  /// the action's reward.
  TIDEWISE_HOST_DEVICE float step_return(const StepEnd& end, std::int32_t column, std::int32_t row,
                                         Offset to, float action_part) const {
    const std::int32_t from_cell = landing.grid.cell(column, row).value;
    return value_between(end, from_cell, field_cell(landing.grid, column, row, to), action_part);
  }

  /// W between two cells. `to_cell` is read only if the step did not fail; see field_cell().
  TIDEWISE_HOST_DEVICE float value_between(const StepEnd& end, std::int32_t from_cell,
                                           std::int32_t to_cell, float action_part) const {
    const auto to = static_cast<std::size_t>(to_cell);
    const auto reward = [&] {
      return harvest == 0
                 ? action_part
                 : step_reward(action_part, harvest,
                               scalar_now[static_cast<std::size_t>(from_cell)], scalar_next[to]);
    };
    return landing_value(end, failure, arrival_reward, reward, [&] { return value_next[to]; });
  }
};

}  // namespace tidewise
