#include "solver/step/device_mission.h"

#include "base/memory/device_transfer.h"
#include "solver/step/action_rewards.h"

namespace tidewise {

DeviceMission::DeviceMission(const EnvironmentInfo& info, const std::vector<Action>& actions,
                             const Mission& mission)
    : target_(upload(mission.target)),
      effects_(upload(action_effects(actions, mission, info.time.step))) {
  const ActionRewards rewards(mission, actions, info.time.step);
  kind_ = upload(rewards.kind);
  kind_of_ = upload(rewards.kind_of);
}

}  // namespace tidewise
