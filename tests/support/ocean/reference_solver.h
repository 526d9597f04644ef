#pragma once

#include <vector>

#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise::test {

/// Backward induction by plain loops over cells, actions and realizations, in the exact arithmetic
/// of docs/model.md, 1.2 to 3.10: the values and actions that every engine and backend must give
/// bit for bit. Solves all legs of a mission in one pass. Slow. Passes levels to `sink` from
/// mission.last down to 0, each with the last leg first.
void solve_reference(const EnvironmentReader& environment, const PlanningProblem& problem,
                     PolicySink& sink);

}  // namespace tidewise::test
