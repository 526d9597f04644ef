#pragma once

#include <string>
#include <vector>

#include "env/environment_info.h"
#include "planner/mission/request.h"
#include "solver/fly/baseline_fleet.h"
#include "solver/fly/rollout_statistics.h"

namespace tidewise {

/// The speeds at which rules that need no plan are flown, on each profile: the vehicle's greatest
/// there for the objectives `time` and `arrival`, else each that it has. `actions`: the vehicle's.
std::vector<BaselineSpeed> baseline_speeds(const RunRequest& request,
                                           const std::vector<Action>& actions);

/// What each rule came to at the best of its speeds, by mean total reward, beside the plan's
/// flights through the same realizations.
std::vector<BaselineOutcome> compare_with_baselines(const RolloutResult& plan,
                                                    const std::vector<BaselineFlights>& flown,
                                                    const Mission& mission,
                                                    const EnvironmentInfo& info);

/// A line for a plan that one of the rules beats, with both figures and what to do; empty where
/// none does: its mean total reward is higher by 1 % of what the plan's flights lose on the reward
/// of arrival. Of a sample of the realizations (promise.h) it takes three standard errors of the
/// difference, flight by flight, besides.
std::string validate_against_baselines(const std::vector<BaselineOutcome>& baselines,
                                       const RolloutStatistics& flown, const Mission& mission,
                                       const EnvironmentInfo& info);

}  // namespace tidewise
