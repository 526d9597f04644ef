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

/// Device memory that places to pass take on top, one or more [B a cell].
constexpr std::size_t device_legs_cell_bytes(std::size_t places) { return 120 + 31 * places; }

/// Backward induction on the current device, level by level from L to 0: the same bits as
/// solve_mission(). Counts, backup, value and policy stay on the device; one level of action and
/// value at a time goes to `sink`, some levels behind the work. `options.engine` is `direct` or
/// `lattice`. Beside the environment's levels the pass takes some 150 bytes a cell,
/// device_legs_cell_bytes() on top, and the level's coefficients five times. A mission that holds
/// actions (Mission::decisions) takes two values for each cell, action and leg on top.
/// Requires decisions of one phase (solve_phases()). `failure`: takes what ends the mission alone
/// (its own value overflowed, or its sink threw); null: that is thrown. Errors: those of reading
/// and counting.
SolveReport solve_mission_on_device(DeviceEnvironment& environment, const PlanningProblem& problem,
                                    const PlannerOptions& options, PolicySink& sink,
                                    Progress& progress, std::exception_ptr* failure = nullptr);

}  // namespace tidewise
