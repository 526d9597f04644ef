#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/induction/backward_induction.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Additional device memory for one or more via points [B per cell].
constexpr std::size_t device_legs_cell_bytes(std::size_t places) { return 120 + 31 * places; }

/// Backward induction on the current device, level by level from L to 0, with the same bits as
/// solve_mission(). Counts, backup, value and policy stay on the device. `sink` receives actions
/// and values level by level, some levels after they were submitted. `options.engine` is `direct`
/// or `lattice`. Memory without the environment's levels: about 150 bytes per cell,
/// device_legs_cell_bytes() for via points, and five times the level's coefficients. A mission that
/// holds actions (Mission::decisions) needs two more values for each cell, action and leg. Requires
/// decisions of one phase (solve_phases()). `failure` receives an error that ends only this mission
/// (its value overflowed, or its sink threw); if null, the error is thrown. Errors: those of
/// reading and counting.
SolveReport solve_mission_on_device(DeviceEnvironment& environment, const PlanningProblem& problem,
                                    const PlannerOptions& options, PolicySink& sink,
                                    Progress& progress, std::exception_ptr* failure = nullptr);

}  // namespace tidewise
