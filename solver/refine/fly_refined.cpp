#include <memory>

#include "base/same_bits.h"
#include "solver/refine/refine_policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// Effects of refined actions, for a rollout.
class RefinedEffects {
 public:
  RefinedEffects(const EnvironmentInfo& info, const PlanningProblem& problem,
                 const RefinedPolicy& refined)
      : info_(info),
        mission_(problem.mission),
        refined_(refined),
        effects_(action_effects(problem, info.time.step)) {}

  // Effects in each cell at level k, (y, x).
  View<const ActionEffect> at(TimeLevel k, View<const std::int16_t> policy) {
    cell_effects_.resize(policy.size);
    for (std::size_t cell = 0; cell < policy.size; ++cell) {
      if (policy[cell] == no_action) continue;
      cell_effects_[cell] = effects_[static_cast<std::size_t>(policy[cell])];
    }
    const auto level = static_cast<std::size_t>(k.value);
    if (level < refined_.level.size()) {
      for (const RefinedAction& action : refined_.level[level]) {
        if (!(action.gain > 0)) continue;
        ActionEffect& effect = cell_effects_[static_cast<std::size_t>(action.cell)];
        effect = effect_of(action, effect.profile);
      }
    }
    return cell_effects_;
  }

 private:
  ActionEffect effect_of(const RefinedAction& refined, std::int32_t profile) const {
    const double step = info_.time.step;
    const double heading = refined.heading;
    const double speed = refined.speed;
    const EnergyModel energy = mission_.energy_on(profile);
    const Direction direction = same_bits_direction(heading);
    return {speed * direction.cosine,
            speed * direction.sine,
            power_spent(energy, speed) * step,
            action_reward(mission_.objective, energy, speed, step),
            make_action(speed, heading, info_.grid, info_.time).displacement,
            profile};
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  const RefinedPolicy& refined_;
  std::vector<ActionEffect> effects_;
  std::vector<ActionEffect> cell_effects_;  // (y, x), of the current level
};

}  // namespace

RolloutResult fly_refined(const EnvironmentReader& environment, const PlanningProblem& problem,
                          const PolicySource& policy, const RefinedPolicy& refined,
                          const RolloutOptions& options, Progress& progress) {
  const auto effects = std::make_shared<RefinedEffects>(environment.info(), problem, refined);
  return fly(environment, problem, policy, options, progress,
             [effects](TimeLevel k, View<const std::int16_t> level_policy) {
               return effects->at(k, level_policy);
             });
}

}  // namespace tidewise
