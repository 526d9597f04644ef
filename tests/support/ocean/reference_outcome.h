#pragma once

#include <cstdint>
#include <vector>

#include "env/file/reader.h"
#include "solver/fly/trajectory.h"
#include "solver/policy/policy.h"
#include "solver/step/planning_problem.h"
#include "tidewise/policy.h"

namespace tidewise::test {

/// Evaluates a policy forward by plain loops over the states with positive probability, by the
/// rules of docs/model.md, 3.7, 3.9 and 5. Agrees with evaluate_policy() within rounding. The
/// mission must depart at a level. `without_action` and `out_of_forecast` stay 0.
ExpectedOutcome evaluate_reference(const EnvironmentReader& environment,
                                   const PlanningProblem& problem, const PolicySource& policy);

/// Simulates one continuous flight through a realization by plain loops, by the rules of
/// docs/model.md, 4. Agrees with fly() within rounding; points have no heading and no speed.
/// `total_reward` is not computed for missions that stay near a place.
Trajectory fly_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                         const PolicySource& policy, std::int32_t realization);

/// Random draws of one step of a flight in chain mode.
struct ModelDraw {
  std::int32_t realization = 0;
  std::int32_t x = 0;  ///< 0 … 255; the farther cell is entered if its share is greater
  std::int32_t y = 0;
};
/// Simulates one flight in chain mode with these draws.
Trajectory fly_model_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                               const PolicySource& policy,
                               const std::vector<ModelDraw>& draws /* (step) */);

}  // namespace tidewise::test
