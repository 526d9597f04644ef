#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "env/environment_info.h"
#include "solver/induction/backward_induction.h"
#include "solver/induction/cpu_level_solver.h"
#include "solver/reachable/legs.h"
#include "solver/reachable/level_source.h"
#include "solver/reachable/policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Size and duration of a solve in the reach.
struct ReachableReport {
  SolveReport solve;         ///< states: those of the reach; reading is part of the other times
  double reach_seconds = 0;  ///< time spent finding the reach
};

/// Solves a mission from a position and level on, only in the cells that the vehicle can still
/// reach. Values and actions there have the bits of a whole plan (docs/model.md, 3.8). All legs are
/// solved in one pass. Keeps its memory from one solve to the next. Used by one thread at a time;
/// several threads may work at once, each with its own solver and levels.
class ReachableSolver {
 public:
  /// `info` and problem.rule (position_rule()) are those of the ensemble: its realization_count is
  /// that of the levels, and the weights are those of its realizations. Start and departure of the
  /// mission are not used. `first_leg`: the vehicle's current leg. `info` and the problem must
  /// outlive the object.
  ReachableSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                  const PlannerOptions& options, std::size_t first_leg = 0,
                  Currents currents = Currents::of_realizations);

  /// Computes the policies of the legs from `first_leg` on, (leg − first_leg), for a vehicle at
  /// `from`, and returns size and duration of the solve. `policies` keep their memory. Requires
  /// from.level ≤ mission.last. Errors: those of the levels and of counting; InputError if a value
  /// is too large for float32.
  ReachableReport solve(LevelSource& levels, const StartState& from,
                        std::vector<ReachablePolicy>& policies, Progress& progress);

 private:
  const EnvironmentInfo& info_;
  const PlanningProblem problem_;
  LegsReachFinder finder_;
  CpuLevelSolver solver_;
};

}  // namespace tidewise
