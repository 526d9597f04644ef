#pragma once

#include <cmath>

#include "base/host_device.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Power drawn from the vehicle's energy store at speed F through the water: c_f F² + c_t + the
/// power of the dive.
TIDEWISE_HOST_DEVICE inline double power_spent(const EnergyModel& model, double speed) {
  return model.c_f * speed * speed + model.c_t + model.dive;
}

/// Energy harvested in one step between the scalar fields g(s,k) and g(s',k+1): c_r (g + g')/2 Δt.
TIDEWISE_HOST_DEVICE inline double energy_harvested(double c_r, double step, double scalar_from,
                                                    double scalar_to) {
  return c_r * (scalar_from + scalar_to) / 2 * step;
}

/// Cost of a step if only the probability of arrival counts. Among plans with equal probability
/// it prefers the faster one. It is so small that it never outweighs the probability.
inline constexpr double arrival_haste = 0x1p-17;

/// Part of r(s, a, s') that depends only on the action, over one step of length Δt.
TIDEWISE_HOST_DEVICE inline double exact_action_reward(Objective objective,
                                                       const EnergyModel& model, double speed,
                                                       double step) {
  switch (objective) {
    case Objective::time:
      return -step;
    case Objective::energy:
    case Objective::net_energy:
      return -power_spent(model, speed) * step;
    case Objective::weighted:
      return -(model.alpha * model.c_f * speed * speed + model.alpha * model.dive +
               (1 - model.alpha)) *
             step;
    case Objective::arrival:
      return -arrival_haste;
    case Objective::stay:
    case Objective::follow:
      return 0;
  }
  return 0;
}

/// exact_action_reward(), rounded once to float32.
inline float action_reward(Objective objective, const EnergyModel& model, double speed,
                           double step) {
  return static_cast<float>(exact_action_reward(objective, model, speed, step));
}

/// Reward of one unit of g(s,k) + g(s',k+1) in a step: c_r Δt / 2 if the objective counts the
/// field, otherwise 0.
inline float harvest_factor(Objective objective, const EnergyModel& model, double step) {
  return counts_scalar(objective) ? static_cast<float>(model.c_r * step / 2) : 0.0F;
}

/// r(s, a, s') in float32: fma(harvest factor, g(s,k) + g(s',k+1), action part).
TIDEWISE_HOST_DEVICE inline float step_reward(float action_part, float harvest, float scalar_from,
                                              float scalar_to) {
  return std::fma(harvest, scalar_from + scalar_to, action_part);
}

}  // namespace tidewise
