#pragma once

#include <cstdint>
#include <functional>

#include "base/memory/view.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/policy/policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Exact results, in the model, of following a policy from a cell and level.
struct ToGo {
  double arrival = 0;  ///< probability of arrival
  double time = 0;     ///< mean time to go of arriving mass, times `arrival` [s or 1]
  double energy = 0;   ///< mean energy that arriving mass spends from the cell on, times `arrival`
};

/// Receives levels L, L−1, … 0: results (y, x) for the mission's first leg, and the cells that are
/// closed at the level. The views are valid only during the call.
using ToGoSink =
    std::function<void(TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed)>;

/// Sweeps a policy backward over all cells by the counts of each cell's action. For every cell and
/// level it computes the results that evaluate_policy() returns for a departure there. If actions
/// are held, the vehicle decides at that level and then at the mission's decisions. A cell without
/// an action has no landings. The result does not depend on the number of threads. Errors: those of
/// reading.
void sweep_to_go(const EnvironmentReader& environment, const PlanningProblem& problem,
                 const PolicySource& policy, std::int32_t threads, Progress& progress,
                 const ToGoSink& sink);

}  // namespace tidewise
