#pragma once

#include <optional>
#include <string>

#include "base/progress.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// Whether a plan from the start hardly ever arrives: by the model, or in none of its flights.
bool hardly_arrives(const ExpectedOutcome& expected,
                    const std::optional<RolloutStatistics>& rollout);

/// Why nothing arrives, in a line that says what to do: obstacles cut the start off; the horizon
/// ends too early, and which one would do; another departure arrives; or nothing does before the
/// forecast ends. Plans once more, for the greatest probability of arriving by the last level.
/// `under_way`: the vehicle is at its start already, so that no earlier departure is of use.
/// Errors: those of planning.
std::string explain_no_arrival(const MissionProblem& run, bool under_way, Progress& progress);

}  // namespace tidewise
