#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "solver/step/landing_rule.h"
#include "solver/step/landing_worth.h"
#include "solver/step/reward.h"

namespace tidewise {

/// Gives the value of a landing, W(s, a, Δ) of docs/model.md, 3.1, in the step from level k.
/// Trivially copyable.
struct OutcomeRule {
  LandingRule landing;
  FailurePrices failure;
  float arrival_reward = 0;
  float harvest = 0;              ///< see harvest_factor()
  View<const float> value_next;   ///< v(k+1, ·), (y, x)
  View<const float> scalar_now;   ///< g at k, (y, x); empty if `harvest` is 0
  View<const float> scalar_next;  ///< g at k+1

  /// W of a vehicle in (column, row) that lands at `to` with this end, by an action of reward
  /// `action_part`.
  TIDEWISE_HOST_DEVICE float worth(const StepEnd& end, std::int32_t column, std::int32_t row,
                                   Offset to, float action_part) const {
    const std::int32_t here = landing.grid.cell(column, row).value;
    return worth_between(end, here, field_cell(landing.grid, column, row, to), action_part);
  }

  /// W between two cells. `there` is read only if the step did not fail; see field_cell().
  TIDEWISE_HOST_DEVICE float worth_between(const StepEnd& end, std::int32_t here,
                                           std::int32_t there, float action_part) const {
    const auto to = static_cast<std::size_t>(there);
    const auto reward = [&] {
      return harvest == 0
                 ? action_part
                 : step_reward(action_part, harvest, scalar_now[static_cast<std::size_t>(here)],
                               scalar_next[to]);
    };
    return landing_worth(end, failure, arrival_reward, reward, [&] { return value_next[to]; });
  }
};

}  // namespace tidewise
