#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "mdp/process/decision_process.h"
#include "model_builder/step/actions.h"
#include "output/model/model_file.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// A mission as a finite decision process, from the counts of an explicit model: what any method of
/// solver/mdp solves, and what solve_backward() solves level by level. Its values are the plan's to
/// rounding.
///
/// States: (k·Ny + j)·Nx + i, k = 0 … L, and behind them one where flights that failed end.
/// Terminal, with the boundary values of docs/model.md, 3.2: target, closed cells, level L and that
/// last state. Transitions bring the step's reward, with the arrival reward into the target, or the
/// failure penalty on the way to the last state, and of a mission with a margin the price of the
/// cell that the step begins in (3.10); entry_reward keeps them apart. γ = 1. `initial_state` is
/// the start at its departure.
///
/// Errors: InputError for a model of another forecast or vehicle, a damaged one, and 2^31 states or
/// more; those of reading.
template <class Real>
mdp::DecisionProcess<Real> make_ocean_process(const ModelFile& model,
                                              const EnvironmentReader& environment,
                                              const PlanningProblem& problem, Progress& progress);

}  // namespace tidewise
