#include "solver/step/mission_outcome.h"

namespace tidewise {

OutcomeRule outcome_without_fields(const EnvironmentInfo& info, const Mission& mission,
                                   TimeLevel k) {
  OutcomeRule rule;
  rule.landing.grid = info.grid;
  rule.landing.last_step = k.value + 1 == mission.last.value ? LastStep::yes : LastStep::no;
  rule.failure_penalty = mission.failure_penalty;
  rule.arrival_reward = mission.arrival_reward;
  rule.harvest = harvest_factor(mission.objective, mission.energy, info.time.step);
  return rule;
}

}  // namespace tidewise
