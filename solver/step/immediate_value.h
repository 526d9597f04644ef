#pragma once

#include "base/host_device.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// W(s, a, Δ) of docs/model.md, 3.1, without the term v(k+1, s') of a vehicle that stays under way.
/// If time is up, it is the penalty for being late in s'. rule.value_next is not read. The vehicle
/// steps from (column, row) to `to`, by an action of reward `action_part`.
TIDEWISE_HOST_DEVICE inline float immediate_value(const OutcomeRule& rule, const StepEnd& end,
                                                  std::int32_t column, std::int32_t row, Offset to,
                                                  float action_part) {
  const Grid& grid = rule.landing.grid;
  if (end.outcome == StepOutcome::out_of_time) {
    return late_value(grid, rule.landing.disc, rule.failure, column + to.dx, row + to.dy);
  }
  const auto reward = [&] {
    if (rule.harvest == 0) return action_part;
    const auto from_cell = static_cast<std::size_t>(grid.cell(column, row).value);
    const auto to_cell = static_cast<std::size_t>(field_cell(grid, column, row, to));
    return step_reward(action_part, rule.harvest, rule.scalar_now[from_cell],
                       rule.scalar_next[to_cell]);
  };
  return landing_value(end, rule.failure, rule.arrival_reward, reward, [] { return 0.0F; });
}

}  // namespace tidewise
