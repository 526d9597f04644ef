#pragma once

#include <cstdint>
#include <vector>

#include "env/environment_info.h"
#include "model_builder/step/actions.h"
#include "solver/refine/refine_state.h"
#include "solver/refine/refined_policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// What the refinement of all levels looks up, reckoned once. Arrays as in RefineState.
struct RefinementTables {
  std::vector<std::int32_t> realization;
  std::vector<double> weight;
  double total_weight = 1;
  std::vector<ActionEffect> effect;
  std::vector<ActionBracket> bracket;
  std::vector<double> headings;
};

/// Errors: those of judge_refinement().
RefinementTables make_refinement_tables(const EnvironmentInfo& info, const PlanningProblem& problem,
                                        const RefinementOptions& options);

/// The cells of level k that are to be refined: those of `states`, or all where that is null, that
/// have an action. `policy`: of level k, (y, x).
std::vector<std::int32_t> cells_to_refine(const StatesToRefine* states, TimeLevel k,
                                          View<const std::int16_t> policy);

/// The first level that is refined: the mission's departure, or 0 where all states are.
TimeLevel first_to_refine(const Mission& mission, const StatesToRefine* states);

/// The functor of level k, but for the views of the tables, policy, values and rough cells, which
/// the caller sets: they lie where its backend computes.
RefineState refine_state_without_tables(const EnvironmentInfo& info, const Mission& mission,
                                        TimeLevel k, const LevelView& now, const LevelView& next,
                                        const RefinementTables& tables,
                                        const RefinementOptions& options);

}  // namespace tidewise
