#pragma once

#include <string>

#include "env/environment_info.h"
#include "model_builder/step/position.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/step/mission.h"
#include "tidewise/policy.h"

namespace tidewise {

/// Whether flights are a sample of the realizations, so that what they come to has an error; flown
/// through all of them they are what there is.
bool is_sample(const RolloutStatistics& flown, const EnvironmentInfo& info);

/// A line for flights that do not keep what the plan promises, with both figures; empty where they
/// keep it: arrivals two percentage points apart; or, of the flights that arrive, times 3 % of the
/// shorter apart, or what the objective counts beside time (energy spent, or net energy by 3 % of
/// what is spent). Of a sample of the realizations it takes three standard errors besides. Those of
/// arrivals are of the promise, so that of a promise of 100 % every failure counts; the others are
/// of the flights. Of a mission that keeps to a place the time within it counts, by three
/// percentage points, or the distance from it, by a tenth. One flight of several realizations is no
/// measure of a mean.
///
/// For flights that keep their realization and their true position (RolloutMode::continuous); those
/// of `chain` are the plan's own model.
std::string validate_promise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                             const Mission& mission, LandingBy landing,
                             const EnvironmentInfo& info);

/// By which share of the time a plan is later than its flights; where times agree or nothing
/// arrives, by which share more of the flights arrive.
double later_by(const ExpectedOutcome& expected, const RolloutStatistics& flown);

}  // namespace tidewise
