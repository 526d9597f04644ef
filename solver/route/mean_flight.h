#pragma once

#include <cstdint>

#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/policy/policy.h"
#include "solver/step/planning_problem.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// Realization number of a flight through the mean flow.
inline constexpr std::int32_t no_realization = -1;

/// Simulates a policy through the mean flow only: fly() in continuous mode with all coefficients 0.
/// Errors: those of fly().
Trajectory fly_through_mean(const EnvironmentReader& environment, const PlanningProblem& problem,
                            const PolicySource& policy, Progress& progress);

}  // namespace tidewise
