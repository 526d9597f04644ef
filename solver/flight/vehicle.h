#pragma once

#include <cstdint>

#include "solver/flight/step_context.h"

namespace tidewise {

/// State of a vehicle. Trivially copyable.
struct Vehicle {
  double x = 0;  ///< [m or 1]
  double y = 0;
  double spent = 0;               ///< since departure
  double harvested = 0;           ///< since departure
  double total_reward = 0;        ///< since departure
  float last_step = 1;            ///< share of the last step that was made
  std::int32_t steps = 0;         ///< steps begun since departure
  std::int16_t held = no_action;  ///< the last action
  double held_u = 0;              ///< velocity through the water of the last action [m s-1 or 1]
  double held_v = 0;

  /// Sets the action that is held until the next decision.
  TIDEWISE_HOST_DEVICE void hold(std::int16_t action, const ActionEffect& effect) {
    held = action;
    held_u = effect.u;
    held_v = effect.v;
  }

  /// Steps made, with fractions. `begun`: share of the first step that was over at departure.
  TIDEWISE_HOST_DEVICE double steps_made(double begun) const {
    return steps == 0 ? 0 : steps - 1 + static_cast<double>(last_step) - begun;
  }
};

/// Result of one step of a vehicle.
struct StepRecord {
  StepOutcome outcome = StepOutcome::under_way;
  /// no_action: the cell has no action, and the vehicle did not move
  std::int16_t action = no_action;
};

/// Ends the flight of a vehicle in a cell without an action.
TIDEWISE_HOST_DEVICE inline StepRecord stranded(const StepContext& context, CellIndex cell,
                                                Vehicle& vehicle) {
  vehicle.total_reward += context.failure.obstacle;
  return {context.stranded_in(static_cast<std::size_t>(cell.value)), no_action};
}

/// Adds the results of a step to the vehicle's totals.
TIDEWISE_HOST_DEVICE inline void enter(const StepResult& result, const StepEnd& end,
                                       Vehicle& vehicle) {
  vehicle.last_step = end.fraction;
  vehicle.spent += result.spent;
  vehicle.harvested += result.harvested;
  vehicle.total_reward += result.reward;
  ++vehicle.steps;
}

}  // namespace tidewise
