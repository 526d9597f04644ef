#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "solver/induction/level_solver.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "tidewise/policy.h"

namespace tidewise {

/// Pushes the probability mass from the mission's start cell at departure forward, level by level,
/// by the counts of each cell's policy action, in double, under the rules of OutcomeRule. Harvest
/// is reckoned for every objective where the environment has a scalar field. A cell without an
/// action that is no target is an obstacle. The same bits for any number of threads and on every
/// backend: a cell's mass is summed over where it comes from, and a cell's own landings from south
/// to north and west to east; sums over cells go by sum_over_cells
/// (solver/evaluate/expectation_accumulator.h). Errors: those of reading; InputError when a
/// displacement reaches 1024 cells.
ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress);

/// The same with counts from anywhere, which must be called back from `threads` threads. The above
/// takes those of the lattice engine.
ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress, const CountLevel& count);

}  // namespace tidewise
