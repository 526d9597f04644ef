#pragma once

#include <string>
#include <vector>

#include "env/environment_info.h"
#include "planner/mission/request.h"
#include "solver/fly/baseline_fleet.h"
#include "solver/fly/rollout_statistics.h"

namespace tidewise {

/// Returns the speeds of the baseline controllers on each profile: the vehicle's greatest speed
/// there for the objectives `time` and `arrival`, else all its speeds. `actions`: the vehicle's
/// actions.
std::vector<BaselineSpeed> baseline_speeds(const RunRequest& request,
                                           const std::vector<Action>& actions);

/// Returns the result of each baseline controller at its best speed, by mean total reward, compared
/// with the plan's flights through the same realizations.
std::vector<BaselineOutcome> compare_with_baselines(const RolloutResult& plan,
                                                    const std::vector<BaselineFlights>& flown,
                                                    const Mission& mission,
                                                    const EnvironmentInfo& info);

/// Returns a warning if a baseline controller beats the plan, with both figures and advice; empty
/// otherwise. It beats the plan if its mean total reward is higher by more than 1 % of what the
/// plan's flights lose from the arrival reward. For a sample of the realizations
/// (prediction_check.h) the difference, flight by flight, must also exceed three standard errors.
std::string validate_against_baselines(const std::vector<BaselineOutcome>& baselines,
                                       const RolloutStatistics& flown, const Mission& mission,
                                       const EnvironmentInfo& info);

}  // namespace tidewise
