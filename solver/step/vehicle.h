#pragma once

#include <cstdint>

#include "solver/step/step_context.h"

namespace tidewise {

/// A vehicle under way. Trivially copyable.
struct Vehicle {
  double x = 0;  ///< [m or 1]
  double y = 0;
  double spent = 0;         ///< since departure
  double harvested = 0;     ///< since departure
  double total_reward = 0;  ///< since departure
  std::int32_t steps = 0;   ///< begun since departure
};

/// One step of a vehicle, as a step functor reports it.
struct StepRecord {
  StepOutcome outcome = StepOutcome::under_way;
  std::int16_t action = no_action;  ///< no_action: it stood where none is, and did not move
};

/// A vehicle in a cell without an action has nowhere to go: an obstacle has closed on it.
TIDEWISE_HOST_DEVICE inline StepRecord stranded(const StepContext& context, Vehicle& vehicle) {
  vehicle.total_reward += context.failure_penalty;
  return {StepOutcome::obstacle, no_action};
}

/// Enters what a step brought in the vehicle's books.
TIDEWISE_HOST_DEVICE inline void enter(const StepWorth& worth, Vehicle& vehicle) {
  vehicle.spent += worth.spent;
  vehicle.harvested += worth.harvested;
  vehicle.total_reward += worth.reward;
  ++vehicle.steps;
}

}  // namespace tidewise
