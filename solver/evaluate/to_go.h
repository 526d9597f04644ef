#pragma once

#include <cstdint>
#include <functional>

#include "base/memory/view.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/policy/policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// What following a policy from a cell at a level on comes to, on the model, exactly.
struct ToGo {
  double arrival = 0;  ///< probability of arriving
  double time = 0;     ///< mean time to go of what arrives, times `arrival` [s or 1]
  double energy = 0;   ///< spent from here on by what arrives, likewise
};

/// Takes levels L, L−1, … 0: (y, x) of the mission's first leg, and the cells that are closed then.
/// The views hold until it returns.
using ToGoSink =
    std::function<void(TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed)>;

/// Sweeps a policy backward over all cells, by the counts of each cell's action: what
/// evaluate_policy() says of the start at its departure, of everywhere at every level: where
/// actions are held, of a vehicle that decides in that cell at that level and then at the mission's
/// decisions. A cell without an action leads nowhere. The same for any number of threads. Errors:
/// those of reading.
void sweep_to_go(const EnvironmentReader& environment, const PlanningProblem& problem,
                 const PolicySource& policy, std::int32_t threads, Progress& progress,
                 const ToGoSink& sink);

}  // namespace tidewise
