#include "solver/fly/baseline_fleet.h"

#include <cmath>

#include "solver/step/reward.h"

namespace tidewise {

namespace {

constexpr int fixed_headings = 16;

std::vector<Baseline> baselines_of(Objective objective) {
  if (keeps(objective)) return {Baseline::aim, Baseline::greedy, Baseline::fixed};
  return {Baseline::aim, Baseline::crab, Baseline::greedy};
}

}  // namespace

std::vector<BaselineRule> baseline_rules(const Mission& mission,
                                         const std::vector<BaselineSpeed>& speeds, double step) {
  constexpr double full_circle = 6.283185307179586;
  std::vector<BaselineRule> rules;
  for (const Baseline baseline : baselines_of(mission.objective)) {
    for (const auto& [speed, profile] : speeds) {
      const EnergyModel energy = mission.energy_on(profile);
      const int headings = baseline == Baseline::fixed && speed > 0 ? fixed_headings : 1;
      for (int n = 0; n < headings; ++n) {
        const double heading = full_circle * n / headings;
        rules.push_back({baseline,
                         speed,
                         power_spent(energy, speed) * step,
                         action_reward(mission.objective, energy, speed, step),
                         profile,
                         {speed * std::cos(heading), speed * std::sin(heading)},
                         power_spent(energy, 0) * step});
      }
    }
  }
  return rules;
}

FlyBaselineStep baseline_step(const StepContext& context, const Mission& mission,
                              View<const BaselineRule> rules, const EnsembleView& ensemble) {
  return {context,
          {mission.start_x, mission.start_y},
          {mission.target_x, mission.target_y},
          rules,
          ensemble};
}

std::vector<std::int32_t> repeated_numbers(const std::vector<std::int32_t>& numbers,
                                           std::size_t rules) {
  std::vector<std::int32_t> repeated;
  repeated.reserve(numbers.size() * rules);
  for (std::size_t rule = 0; rule < rules; ++rule) {
    repeated.insert(repeated.end(), numbers.begin(), numbers.end());
  }
  return repeated;
}

std::vector<BaselineFlights> baseline_ends(const std::vector<BaselineRule>& rules,
                                           const Mission& mission, const Ensemble<>& ensemble,
                                           double step) {
  std::vector<BaselineFlights> results;
  const std::size_t flights = ensemble.size() / rules.size();
  std::size_t n = 0;
  for (const BaselineRule& rule : rules) {
    BaselineFlights result{rule.baseline, rule.speed, rule.profile, {}};
    for (const std::size_t end = n + flights; n < end; ++n) {
      const Vehicle& vehicle = ensemble.vehicle[n];
      result.ends.push_back({ensemble.number[n], final_outcome(ensemble.state[n]),
                             vehicle.steps_made(mission.begun) * step,
                             static_cast<float>(vehicle.spent),
                             static_cast<float>(vehicle.harvested), vehicle.total_reward});
    }
    result.heading = std::atan2(rule.fixed.y, rule.fixed.x);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace tidewise
