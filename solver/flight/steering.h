#pragma once

#include <cstdint>

#include "solver/flight/step_context.h"
#include "solver/flight/vehicle.h"

namespace tidewise {

/// The flow of one realization at a vehicle's position.
struct Current {
  double u = 0;  ///< eastward [m s-1 or 1]
  double v = 0;  ///< northward
};

/// What a vehicle does in one step.
struct Steered {
  std::int16_t action = no_action;  ///< what the step is logged as; no_action: there is none
  ActionEffect taken = {};
};

/// What a vehicle in a cell does at a step: what the policy says there, or what it did before where
/// actions are held.
TIDEWISE_HOST_DEVICE inline std::int16_t action_of(const StepContext& context, std::size_t cell,
                                                   const Vehicle& vehicle) {
  return context.holds ? vehicle.held : context.policy[cell];
}

/// Does what the policy says for the cell. Trivially copyable.
struct PolicySteering {
  /// The profile that the step dives.
  TIDEWISE_HOST_DEVICE static std::int32_t profile(const StepContext& context, CellIndex cell,
                                                   const Vehicle& vehicle) {
    const auto here = static_cast<std::size_t>(cell.value);
    const std::int16_t action = action_of(context, here, vehicle);
    return action == no_action ? 0 : context.effect_in(here, action).profile;
  }
  TIDEWISE_HOST_DEVICE Steered operator()(const StepContext& context, CellIndex cell,
                                          const Vehicle& vehicle,
                                          const Current& /*current*/) const {
    const auto here = static_cast<std::size_t>(cell.value);
    const std::int16_t action = action_of(context, here, vehicle);
    if (action == no_action) return {};
    return {action, context.effect_in(here, action)};
  }
};

}  // namespace tidewise
