#include "solver/flight/step_context.h"

#include <algorithm>
#include <cmath>

#include "solver/step/mission_outcome.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

std::vector<ActionEffect> action_effects(const PlanningProblem& problem, double step) {
  std::vector<ActionEffect> effects;
  for (const Action& action : problem.actions) {
    const EnergyModel energy = problem.mission.energy_on(action.profile);
    effects.push_back({action.speed * std::cos(action.heading),
                       action.speed * std::sin(action.heading),
                       power_spent(energy, action.speed) * step,
                       action_reward(problem.mission.objective, energy, action.speed, step),
                       action.displacement, action.profile, action.error});
  }
  return effects;
}

StepContext make_step_context(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                              const LevelView& now, const LevelView& next,
                              const StepTables& tables) {
  StepContext context;
  context.now = now;
  context.next = next;
  context.rule = landing_rule(info, mission, k, tables.target, now.masked, next.masked);
  context.policy = tables.policy;
  context.effect = tables.effect;
  context.step = info.time.step;
  if (k == mission.departure) context.begun = mission.begun;
  context.holds = holds_at(mission, k);
  context.until_decision = mission.decisions.until_next(k);
  context.decided = k;
  if (context.holds) {
    const std::int32_t decided = k.value - mission.decisions.since(k);
    context.decided = TimeLevel(std::max(mission.departure.value, decided));
  }
  context.error = mission.error;
  context.c_r = mission.energy.c_r;
  context.harvest = harvest_factor(mission.objective, mission.energy, info.time.step);
  context.arrival_reward = mission.arrival_reward;
  context.failure = mission.failure;
  context.keeps = mission.kept.has_value();
  if (mission.kept) context.kept = kept_scalar(*mission.kept, k);
  return context;
}

StepOutcome outcome_at_start(const Mission& mission, std::uint8_t masked) {
  if (masked != 0) return closed_end(masked);
  if (mission.target[static_cast<std::size_t>(mission.start.value)] != 0) {
    return StepOutcome::arrived;
  }
  return mission.departure < mission.last ? StepOutcome::under_way : StepOutcome::out_of_time;
}

double value_without_step(const EnvironmentInfo& info, const Mission& mission,
                          StepOutcome outcome) {
  if (outcome == StepOutcome::obstacle || outcome == StepOutcome::out_of_forecast) {
    return mission.failure.obstacle;
  }
  if (outcome == StepOutcome::out_of_time) {
    return boundary_value(info, mission).late(mission.start.value);
  }
  return 0;
}

}  // namespace tidewise
