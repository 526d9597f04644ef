#include "solver/flight/device_mission.h"

#include "base/memory/device_transfer.h"
#include "solver/step/action_rewards.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

DeviceMission::DeviceMission(const EnvironmentInfo& info, const PlanningProblem& problem)
    : target_(upload(problem.mission.target)),
      effects_(upload(action_effects(problem, info.time.step))) {
  const ActionRewards rewards(problem, info.time.step);
  kind_ = upload(rewards.kind);
  kind_of_ = upload(rewards.kind_of);
}

}  // namespace tidewise
