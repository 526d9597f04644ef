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

namespace tidewise {

/// What a policy leads to on the model, exactly: no sampling. Means are given arrival and NaN where
/// the vehicle cannot arrive. The four probabilities sum to 1.
struct ExpectedOutcome {
  double arrival_probability = 0;
  double time = 0;        ///< [s or 1] from departure to arrival
  double energy = 0;      ///< spent, Σ (c_f F² + c_t) Δt
  double net_energy = 0;  ///< spent less harvested: below 0 where the vehicle gains
  double obstacle_probability = 0;
  double out_of_domain_probability = 0;
  double out_of_time_probability = 0;
  double value = 0;  ///< expected total reward from the start: what v(departure, start) promises
};

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
