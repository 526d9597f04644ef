#pragma once

#include <cstdint>
#include <vector>

#include "env/file/reader.h"
#include "solver/fly/trajectory.h"
#include "solver/policy/policy.h"
#include "solver/step/planning_problem.h"
#include "tidewise/policy.h"

namespace tidewise::test {

/// Forward evaluation of a policy by plain loops over the states that hold probability: the rules
/// of docs/model.md, 3.7, 3.9 and 5. Agrees with evaluate_policy() to rounding. Requires a mission
/// that departs at a level. `without_action` and `out_of_forecast` stay 0.
ExpectedOutcome evaluate_reference(const EnvironmentReader& environment,
                                   const PlanningProblem& problem, const PolicySource& policy);

/// One continuous flight through a realization by plain loops: the rules of docs/model.md, 4.
/// Agrees with fly() to rounding; points have no heading and no speed. `total_reward` is not
/// computed for missions that stay near a place.
Trajectory fly_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                         const PolicySource& policy, std::int32_t realization);

/// One flight of the model itself: `draw` gives its realization and shares at each level.
struct ModelDraw {
  std::int32_t realization = 0;
  std::int32_t x = 0;  ///< parts of 256 along x
  std::int32_t y = 0;
};
/// One flight in chain mode with these draws, (step).
Trajectory fly_model_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                               const PolicySource& policy,
                               const std::vector<ModelDraw>& draws /* (step) */);

}  // namespace tidewise::test
