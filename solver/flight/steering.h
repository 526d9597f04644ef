#pragma once

#include <cstdint>

#include "solver/flight/step_context.h"
#include "solver/flight/vehicle.h"

namespace tidewise {

/// Flow of one realization at a vehicle's position.
struct Current {
  double u = 0;  ///< eastward [m s-1 or 1]
  double v = 0;  ///< northward
};

/// Action of a vehicle in one step, with its effect.
struct Steered {
  std::int16_t action = no_action;  ///< action to log; no_action: the cell has none
  ActionEffect taken = {};
};

/// Action of a vehicle in a cell: the policy's, or the held action if the level does not decide.
TIDEWISE_HOST_DEVICE inline std::int16_t action_of(const StepContext& context, std::size_t cell,
                                                   const Vehicle& vehicle) {
  return context.holds ? vehicle.held : context.policy[cell];
}

/// Steers by the policy of the cell. Trivially copyable.
struct PolicySteering {
  /// Profile of the step's dive.
  TIDEWISE_HOST_DEVICE static std::int32_t profile(const StepContext& context, CellIndex cell,
                                                   const Vehicle& vehicle) {
    const auto from_cell = static_cast<std::size_t>(cell.value);
    const std::int16_t action = action_of(context, from_cell, vehicle);
    return action == no_action ? 0 : context.effect_in(from_cell, action).profile;
  }
  /// Action of the cell, with its effect.
  TIDEWISE_HOST_DEVICE Steered operator()(const StepContext& context, CellIndex cell,
                                          const Vehicle& vehicle,
                                          const Current& /*current*/) const {
    const auto from_cell = static_cast<std::size_t>(cell.value);
    const std::int16_t action = action_of(context, from_cell, vehicle);
    if (action == no_action) return {};
    return {action, context.effect_in(from_cell, action)};
  }
};

}  // namespace tidewise
