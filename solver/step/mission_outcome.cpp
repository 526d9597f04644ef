#include "solver/step/mission_outcome.h"

namespace tidewise {

LandingRule landing_rule(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                         View<const std::uint8_t> target, View<const std::uint8_t> masked_now,
                         View<const std::uint8_t> masked_next) {
  const LastStep last = k.value + 1 == mission.last.value ? LastStep::yes : LastStep::no;
  return {info.grid, last, target, masked_now, masked_next, mission.disc};
}

OutcomeRule outcome_rule(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                         View<const std::uint8_t> target, const OutcomeFields& fields) {
  OutcomeRule rule;
  rule.landing = landing_rule(info, mission, k, target, fields.masked_now, fields.masked_next);
  // No vehicle is late in a mission that stays near a place: the last step counts like any other.
  if (mission.kept) rule.landing.last_step = LastStep::no;
  rule.failure = mission.failure;
  rule.arrival_reward = mission.arrival_reward;
  rule.harvest = harvest_factor(mission.objective, mission.energy, info.time.step);
  rule.value_next = fields.value_next;
  rule.scalar_now = fields.scalar_now;
  rule.scalar_next = fields.scalar_next;
  return rule;
}

BoundaryValue boundary_value(const EnvironmentInfo& info, const Mission& mission) {
  return {info.grid, mission.disc, mission.failure};
}

}  // namespace tidewise
