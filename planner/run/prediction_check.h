#pragma once

#include <string>

#include "env/environment_info.h"
#include "model_builder/step/position.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/step/mission.h"
#include "tidewise/policy.h"

namespace tidewise {

/// True if the flights are a sample of the realizations, so that their means have a sampling error.
/// Flights through all realizations have none.
bool is_sample(const RolloutStatistics& flown, const EnvironmentInfo& info);

/// Returns a warning if flights differ from the plan's prediction, with both figures; empty if they
/// agree. They differ if arrival probabilities are two percentage points apart; or if, among
/// flights that arrive, times are more than 3 % of the shorter one apart, or if the energy that the
/// objective counts differs by 3 % (net energy: by 3 % of the energy spent). For station keeping
/// the limit is three percentage points of the time within, or a tenth of the distance. For a
/// sample of the realizations the difference must also exceed three standard errors: for arrivals
/// those of the prediction, so that every failure counts against a prediction of 100 %; for the
/// others those of the flights. A single flight among several realizations is not compared. Applies
/// to flights that keep their realization and their true position (RolloutMode::continuous);
/// `chain` flies the plan's own model.
std::string validate_prediction(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                                const Mission& mission, LandingBy landing,
                                const EnvironmentInfo& info);

/// Returns the share of the time by which the predicted arrival is later than that of the flights.
/// If times agree or nothing arrives, returns the flights' arrival rate minus the predicted
/// probability.
double later_by(const ExpectedOutcome& expected, const RolloutStatistics& flown);

}  // namespace tidewise
