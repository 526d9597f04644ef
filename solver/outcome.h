#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/view.h"
#include "solver/path.h"
#include "solver/reward.h"

namespace tidewise {

enum class LastStep { no, yes };  ///< whether k+1 = L

/// What landing is worth, W(s, a, Δ) of design section 2, at one level k. Trivially copyable.
struct OutcomeRule {
  Grid grid;
  LastStep last_step = LastStep::no;
  float failure_penalty = 0;
  float arrival_reward = 0;
  float harvest = 0;                     ///< see harvest_factor()
  View<const float> value_next;          ///< v(k+1, ·), (y, x)
  View<const std::uint8_t> target;       ///< (y, x)
  View<const std::uint8_t> closed_now;   ///< at k, (y, x)
  View<const std::uint8_t> closed_next;  ///< at k+1, (y, x)
  View<const float> scalar_now;          ///< g at k; empty where `harvest` is 0
  View<const float> scalar_next;         ///< g at k+1

  /// W for a vehicle in (column, row) that lands at `to` by an action worth `action_part`.
  TIDEWISE_HOST_DEVICE float operator()(std::int32_t column, std::int32_t row, Offset to,
                                        float action_part) const {
    if (way_is_blocked(grid, closed_now, closed_next, column, row, to)) return failure_penalty;
    return unobstructed(column, row, to, action_part);
  }

  /// The same where no obstacle is near: rules 2 to 5.
  TIDEWISE_HOST_DEVICE float unobstructed(std::int32_t column, std::int32_t row, Offset to,
                                          float action_part) const {
    const std::int32_t i = column + to.dx;
    const std::int32_t j = row + to.dy;
    if (!grid.contains(i, j)) return failure_penalty;
    const auto there = static_cast<std::size_t>(grid.cell(i, j).value);
    const bool arrived = target[there] != 0;
    if (!arrived && last_step == LastStep::yes) return failure_penalty;
    float reward = action_part;
    if (harvest != 0) {
      const auto here = static_cast<std::size_t>(grid.cell(column, row).value);
      reward = step_reward(action_part, harvest, scalar_now[here], scalar_next[there]);
    }
    return reward + (arrived ? arrival_reward : value_next[there]);
  }
};

}  // namespace tidewise
