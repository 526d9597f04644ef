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

/// Tables for the refinement of all levels, computed once. Arrays as in RefineState.
struct RefinementTables {
  std::vector<std::int32_t> realization;
  std::vector<double> weight;
  double total_weight = 1;
  std::vector<ActionEffect> effect;
  std::vector<ActionBracket> bracket;
  std::vector<double> headings;
};

/// Computes the tables. Errors: those of validate_refinement().
RefinementTables make_refinement_tables(const EnvironmentInfo& info, const PlanningProblem& problem,
                                        const RefinementOptions& options);

/// The cells of level k to refine: those of `states`, or all cells if null, that have an action.
/// `policy`: of level k, (y, x).
std::vector<std::int32_t> cells_to_refine(const StatesToRefine* states, TimeLevel k,
                                          View<const std::int16_t> policy);

/// The first level to refine: the mission's departure, or 0 if all states are refined.
TimeLevel first_to_refine(const Mission& mission, const StatesToRefine* states);

/// RefineState of level k without views of tables, policy, values and interpolable cells. The
/// caller sets them to memory of its backend.
RefineState refine_state_without_tables(const EnvironmentInfo& info, const Mission& mission,
                                        TimeLevel k, const LevelView& now, const LevelView& next,
                                        const RefinementTables& tables,
                                        const RefinementOptions& options);

}  // namespace tidewise
