#include "solver/step_context.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace tidewise {

std::vector<ActionEffect> action_effects(const std::vector<Action>& actions, const Mission& mission,
                                         double step) {
  std::vector<ActionEffect> effects;
  for (const Action& action : actions) {
    effects.push_back({action.speed * std::cos(action.heading),
                       action.speed * std::sin(action.heading),
                       power_spent(mission.energy, action.speed) * step,
                       action_reward(mission.objective, mission.energy, action.speed, step),
                       action.displacement});
  }
  return effects;
}

StepContext make_step_context(const EnvironmentInfo& info, const Mission& mission,
                              const std::vector<ActionEffect>& effects,
                              const std::vector<std::int16_t>& policy, const LevelPair& levels,
                              TimeLevel k) {
  StepContext context;
  context.now = levels.now();
  context.next = levels.next();
  context.rule = {info.grid,
                  k.value + 1 == mission.last.value ? LastStep::yes : LastStep::no,
                  {mission.target.data(), mission.target.size()},
                  context.now.closed,
                  context.next.closed};
  context.policy = {policy.data(), policy.size()};
  context.effect = {effects.data(), effects.size()};
  context.step = info.time.step;
  context.c_r = mission.energy.c_r;
  context.harvest = harvest_factor(mission.objective, mission.energy, info.time.step);
  context.arrival_reward = mission.arrival_reward;
  context.failure_penalty = mission.failure_penalty;
  return context;
}

StepOutcome outcome_at_start(const Mission& mission, View<const std::uint8_t> closed,
                             CellIndex start) {
  const auto cell = static_cast<std::size_t>(start.value);
  if (closed[cell] != 0) return StepOutcome::obstacle;
  if (mission.target[cell] != 0) return StepOutcome::arrived;
  return mission.departure < mission.last ? StepOutcome::under_way : StepOutcome::out_of_time;
}

void read_policy(const PolicySource& policy, TimeLevel k, std::size_t action_count,
                 View<std::int16_t> out) {
  policy.read_action(k, out);
  for (const std::int16_t action : out) {
    if (action >= no_action && action < static_cast<std::int32_t>(action_count)) continue;
    throw InputError(fmt::format(
        "the policy holds action {} at level {} and the vehicle has {} actions; fly it with the "
        "vehicle it was made for",
        action, k.value, action_count));
  }
}

}  // namespace tidewise
