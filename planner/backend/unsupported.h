#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "env/environment_info.h"
#include "model_builder/step/actions.h"
#include "planner/backend/device_budget.h"
#include "planner/mission/request.h"
#include "solver/fly/rollout.h"
#include "solver/step/mission.h"

// All limits of GPUs, checked before any level is read. A mission beyond them is refused, or the
// CPU computes that part and the run's notes report it.

namespace tidewise {

/// Errors: InputError if `devices` GPUs cannot share a mission in this build or by its engine.
void refuse_on_devices(const RunRequest& request, std::size_t devices);
/// Errors: InputError if GPUs of `processes` processes cannot share a mission by its engine.
void refuse_on_devices_of_ranks(const RunRequest& request, int processes);
/// Errors: InputError where a GPU cannot solve the mission from a stored model.
void refuse_model_on_device(const RunRequest& request, const Mission& mission);

/// The resources of a run's GPUs for a mission.
struct DeviceLimits {
  const EnvironmentInfo& info;
  const std::vector<Action>& actions;
  DeviceBudget budget;      ///< budget of one GPU
  std::size_t devices = 1;  ///< number of devices that share the mission

  // Return the reason why the CPU computes a part of the mission instead, as a line for the run's
  // notes; empty if the devices compute it.
  std::string why_not_solved(const Mission& mission) const;
  std::string why_not_evaluated(const Mission& mission) const;
  std::string why_not_flown(const Mission& mission, std::size_t flights) const;
};

/// Returns the maximum number of flights of all baseline controllers.
std::size_t max_baseline_flights(const Mission& mission, const std::vector<Action>& actions,
                                 const TimeAxis& time, const RolloutOptions& options);

}  // namespace tidewise
