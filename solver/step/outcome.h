#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "solver/step/landing_rule.h"
#include "solver/step/landing_worth.h"
#include "solver/step/reward.h"

namespace tidewise {

/// What landing is worth, W(s, a, Δ) of docs/model.md, 3.1, at one level k. Trivially copyable.
struct OutcomeRule {
  LandingRule landing;
  float failure_penalty = 0;
  float arrival_reward = 0;
  float harvest = 0;              ///< see harvest_factor()
  View<const float> value_next;   ///< v(k+1, ·), (y, x)
  View<const float> scalar_now;   ///< g at k; empty where `harvest` is 0
  View<const float> scalar_next;  ///< g at k+1

  /// W for a vehicle in (column, row) that lands at `to` as `outcome`, by an action worth
  /// `action_part`.
  TIDEWISE_HOST_DEVICE float worth(StepOutcome outcome, std::int32_t column, std::int32_t row,
                                   Offset to, float action_part) const {
    const Grid& grid = landing.grid;
    return worth_between(outcome, grid.cell(column, row).value,
                         grid.cell(column + to.dx, row + to.dy).value, action_part);
  }

  /// The same by cells; `there` is looked at where the landing is no failure.
  TIDEWISE_HOST_DEVICE float worth_between(StepOutcome outcome, std::int32_t here,
                                           std::int32_t there, float action_part) const {
    return worth_if(has_failed(outcome), outcome == StepOutcome::arrived, here, there, action_part);
  }

  /// The same for an outcome that is known by its bits.
  TIDEWISE_HOST_DEVICE float worth_if(bool fails, bool arrives, std::int32_t here,
                                      std::int32_t there, float action_part) const {
    const auto to = static_cast<std::size_t>(there);
    const auto reward = [&] {
      return harvest == 0
                 ? action_part
                 : step_reward(action_part, harvest, scalar_now[static_cast<std::size_t>(here)],
                               scalar_next[to]);
    };
    return landing_worth(fails, arrives, failure_penalty, arrival_reward, reward,
                         [&] { return value_next[to]; });
  }
};

}  // namespace tidewise
