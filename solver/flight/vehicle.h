#pragma once

#include <cstdint>

#include "solver/flight/step_context.h"

namespace tidewise {

/// A vehicle under way. Trivially copyable.
struct Vehicle {
  double x = 0;  ///< [m or 1]
  double y = 0;
  double spent = 0;               ///< since departure
  double harvested = 0;           ///< since departure
  double total_reward = 0;        ///< since departure
  float last_step = 1;            ///< how much of its last step was over when it ended
  std::int32_t steps = 0;         ///< begun since departure
  std::int16_t held = no_action;  ///< what it last did
  double held_u = 0;              ///< velocity through the water by that [m s-1 or 1]
  double held_v = 0;

  /// Holds what it does until it may decide anew.
  TIDEWISE_HOST_DEVICE void hold(std::int16_t action, const ActionEffect& taken) {
    held = action;
    held_u = taken.u;
    held_v = taken.v;
  }

  /// Steps that it made, the last as far as it was made; of the first, `begun` were over at the
  /// departure.
  TIDEWISE_HOST_DEVICE double steps_made(double begun) const {
    return steps == 0 ? 0 : steps - 1 + static_cast<double>(last_step) - begun;
  }
};

/// One step of a vehicle, as a step functor reports it.
struct StepRecord {
  StepOutcome outcome = StepOutcome::under_way;
  std::int16_t action = no_action;  ///< no_action: it stood where none is, and did not move
};

/// A vehicle in a cell without an action has nowhere to go.
TIDEWISE_HOST_DEVICE inline StepRecord stranded(const StepContext& context, CellIndex cell,
                                                Vehicle& vehicle) {
  vehicle.total_reward += context.failure.obstacle;
  return {context.stranded_in(static_cast<std::size_t>(cell.value)), no_action};
}

/// Enters what a step brought in the vehicle's books.
TIDEWISE_HOST_DEVICE inline void enter(const StepWorth& worth, const StepEnd& end,
                                       Vehicle& vehicle) {
  vehicle.last_step = end.fraction;
  vehicle.spent += worth.spent;
  vehicle.harvested += worth.harvested;
  vehicle.total_reward += worth.reward;
  ++vehicle.steps;
}

}  // namespace tidewise
