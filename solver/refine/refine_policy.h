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

/// Errors: InputError for negative realizations, no steps or no rounds.
void validate_refinement(const RefinementOptions& options);

/// The states that flights pass, and those within `ring` cells around them, at their levels: where
/// it is worth refining a policy. Levels 0 … last.
StatesToRefine states_near(const RolloutResult& flights, const Grid& grid, TimeLevel last,
                           std::int32_t ring);

/// Refines heading and speed of a policy that has been solved for on a discrete set of actions
/// (refine_state.h), each state by itself on the policy's own values: one step of policy
/// improvement. `states`: those to refine, or null for all of levels 0 … L − 1. Errors: those of
/// reading; InputError for options that cannot be and for an action that does not exist.
RefinedPolicy refine_policy(const EnvironmentReader& environment, const PlanningProblem& problem,
                            const PolicySource& policy, const StatesToRefine* states,
                            const RefinementOptions& options, Progress& progress);

/// The same on the current device: the same bits. `scratch`: device memory that velocities may take
/// [B]; one state's are always taken. Errors: RunError in a build without CUDA, too.
RefinedPolicy refine_policy_on_device(DeviceEnvironment& environment,
                                      const PlanningProblem& problem, const PolicySource& policy,
                                      const StatesToRefine* states,
                                      const RefinementOptions& options, Progress& progress,
                                      std::size_t scratch = std::size_t{256} << 20);

/// fly() by a refined policy: where a flight is in a cell that was refined to the better at its
/// level it goes by that heading and speed, elsewhere by the policy's action, whose heading and
/// speed the trajectories note everywhere. On the CPU.
RolloutResult fly_refined(const EnvironmentReader& environment, const PlanningProblem& problem,
                          const PolicySource& policy, const RefinedPolicy& refined,
                          const RolloutOptions& options, Progress& progress);

}  // namespace tidewise
