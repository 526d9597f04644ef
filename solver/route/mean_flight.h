#pragma once

#include <cstdint>

#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/policy/policy.h"
#include "solver/step/planning_problem.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// What a flight through the mean flow has for a realization.
inline constexpr std::int32_t no_realization = -1;

/// The flight of a policy through the mean flow alone, as fly() in continuous mode where all
/// coefficients are 0. Errors: those of fly().
Trajectory fly_through_mean(const EnvironmentReader& environment, const PlanningProblem& problem,
                            const PolicySource& policy, Progress& progress);

}  // namespace tidewise
