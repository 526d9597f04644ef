#pragma once

#include <string>

#include "env/environment_info.h"
#include "solver/evaluate/forward_evaluation.h"
#include "solver/fly/rollout_statistics.h"

namespace tidewise {

/// A line for flights that do not keep what the plan promises, with both figures, why and what to
/// do; empty where they keep it. It takes more than sampling error: arrivals two percentage points
/// apart, or times 3 %, and either three standard errors. Those of arrivals are of the promise, so
/// that of a promise of 100 % every failure counts; those of times are of the flights. One flight
/// of several realizations is no measure of time.
///
/// For flights that keep their realization and their true position (RolloutMode::continuous); those
/// of `chain` are the plan's own model.
std::string validate_promise(const ExpectedOutcome& expected, const RolloutStatistics& flown,
                             const EnvironmentInfo& info);

}  // namespace tidewise
