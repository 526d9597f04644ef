#pragma once

#include <optional>
#include <string>

#include "base/progress.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// True if a plan rarely arrives, by the model or in its flights.
bool hardly_arrives(const ExpectedOutcome& expected,
                    const std::optional<RolloutStatistics>& rollout);

/// Returns a line with the reason why nothing arrives, and advice: obstacles enclose the start; the
/// horizon is too short, with a sufficient one; another departure arrives; or nothing arrives
/// before the forecast ends. Solves once more, for the greatest probability of arrival by the last
/// level. `under_way`: true if the vehicle is already at its start, so that no earlier departure is
/// possible. Errors: those of planning.
std::string explain_no_arrival(const MissionProblem& run, bool under_way, Progress& progress);

}  // namespace tidewise
