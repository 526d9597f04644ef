#include "solver/flight/device_step_tables.h"

#include <algorithm>
#include <functional>

#include "base/memory/device_transfer.h"
#include "solver/step/action_rewards.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

DeviceStepTables::DeviceStepTables(const EnvironmentInfo& info,
                                   const std::vector<PlanningProblem>& problems)
    : cells_(static_cast<std::size_t>(info.grid.cell_count())),
      actions_(problems.front().actions.size()) {
  std::vector<std::uint8_t> targets;
  std::vector<ActionEffect> effects;
  std::vector<std::uint8_t> in_every_target(cells_, 1);
  for (const PlanningProblem& problem : problems) {
    const std::vector<std::uint8_t>& target = problem.mission.target;
    targets.insert(targets.end(), target.begin(), target.end());
    std::transform(in_every_target.begin(), in_every_target.end(), target.begin(),
                   in_every_target.begin(), std::bit_and<std::uint8_t>());
    const auto problem_effects = action_effects(problem, info.time.step);
    effects.insert(effects.end(), problem_effects.begin(), problem_effects.end());
  }
  target_ = upload(targets);
  effect_ = upload(effects);
  every_target_ = upload(in_every_target);
}

DeviceMission::DeviceMission(const EnvironmentInfo& info, const PlanningProblem& problem)
    : target_(upload(problem.mission.target)),
      effects_(upload(action_effects(problem, info.time.step))) {
  const ActionRewards rewards(problem, info.time.step);
  kind_ = upload(rewards.kind);
  kind_of_ = upload(rewards.kind_of);
}

}  // namespace tidewise
