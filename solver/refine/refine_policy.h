#pragma once

#include <cstddef>
#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "solver/fly/rollout.h"
#include "solver/policy/policy.h"
#include "solver/refine/refined_policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Validates options. Errors: InputError for negative realizations, no steps or no rounds.
void validate_refinement(const RefinementOptions& options);

/// States that flights pass, and those within `ring` cells around them at the same level; a
/// refinement is used only there. Covers levels 0 … last.
StatesToRefine states_near(const RolloutResult& flights, const Grid& grid, TimeLevel last,
                           std::int32_t ring);

/// Refines heading and speed of a policy for a discrete set of actions (refine_state.h). Each state
/// is refined independently with the policy's values, which is one step of policy improvement.
/// `states`: states to refine; null: all of levels 0 … L − 1. Errors: those of reading; InputError
/// for invalid options and for an action that does not exist.
RefinedPolicy refine_policy(const EnvironmentReader& environment, const PlanningProblem& problem,
                            const PolicySource& policy, const StatesToRefine* states,
                            const RefinementOptions& options, Progress& progress);

/// refine_policy() on the current device, with the same bits. `scratch`: device memory for
/// velocities [B]; memory for one state is always allocated. Errors: also RunError in a build
/// without CUDA.
RefinedPolicy refine_policy_on_device(DeviceEnvironment& environment,
                                      const PlanningProblem& problem, const PolicySource& policy,
                                      const StatesToRefine* states,
                                      const RefinementOptions& options, Progress& progress,
                                      std::size_t scratch = std::size_t{256} << 20);

/// fly() with a refined policy. In a cell and level whose action was improved a flight uses the
/// refined heading and speed, elsewhere the policy's action. Trajectories record the policy's
/// heading and speed everywhere. Flights run on the CPU.
RolloutResult fly_refined(const EnvironmentReader& environment, const PlanningProblem& problem,
                          const PolicySource& policy, const RefinedPolicy& refined,
                          const RolloutOptions& options, Progress& progress);

}  // namespace tidewise
