#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "env/environment_info.h"
#include "model_builder/step/actions.h"
#include "solver/flight/step_context.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Tables for the steps of a mission, in the current device's memory. The constructor completes the
/// copies.
class DeviceMission {
 public:
  /// Errors: RunError without a device, or when its memory runs out.
  DeviceMission(const EnvironmentInfo& info, const PlanningProblem& problem);

  View<const std::uint8_t> target() const { return target_; }    ///< the mission's target, (y, x)
  View<const float> kind() const { return kind_; }               ///< see ActionRewards
  View<const std::int32_t> kind_of() const { return kind_of_; }  ///< (action)
  View<const ActionEffect> effects() const { return effects_; }  ///< (action)
  /// Number of kinds.
  std::int32_t kinds() const { return static_cast<std::int32_t>(kind_.size()); }

 private:
  DeviceArray<std::uint8_t> target_;
  DeviceArray<float> kind_;
  DeviceArray<std::int32_t> kind_of_;
  DeviceArray<ActionEffect> effects_;
};

/// Tables for the steps of several missions with the same actions, in the current device's memory.
/// The constructor completes the copies. Requires at least one problem.
class DeviceStepTables {
 public:
  /// Errors: RunError without a device, or when its memory runs out.
  DeviceStepTables(const EnvironmentInfo& info, const std::vector<PlanningProblem>& problems);

  /// Tables of a problem. `policy`: of the step's level, (y, x), device memory.
  StepTables of(std::size_t problem, View<const std::int16_t> policy) const {
    return {target_.view().part(problem * cells_, cells_), policy,
            effect_.view().part(problem * actions_, actions_)};
  }
  /// 1 in cells that are in the target of every mission, (y, x).
  View<const std::uint8_t> every_target() const { return every_target_.view(); }

 private:
  std::size_t cells_;
  std::size_t actions_;
  DeviceArray<std::uint8_t> target_;  // (problem, y, x)
  DeviceArray<ActionEffect> effect_;  // (problem, action)
  DeviceArray<std::uint8_t> every_target_;
};

}  // namespace tidewise
