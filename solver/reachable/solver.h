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

/// What a solve of what is reachable did and how long it took.
struct ReachableReport {
  SolveReport solve;         ///< states: those of the reach; reading is in the times of the passes
  double reach_seconds = 0;  ///< finding where the vehicle can be
};

/// Solves a mission from a place and level onward, in the cells that the vehicle can still be in
/// alone: value and action there are the same bits as a whole plan's (docs/model.md, 3.8). All legs
/// are solved in one pass. Keeps its memory from one solve to the next. Used by one thread at a
/// time; many may work at once, each with one of its own and levels of its own.
class ReachableSolver {
 public:
  /// `info` and problem.rule (position_rule()) are those of the ensemble that is solved for: its
  /// realization_count is that of the levels, and weights are its realizations'. Start and
  /// departure of the mission are not looked at. `first_leg`: the leg that the vehicle is on.
  /// `info` and the problem must outlive it.
  ReachableSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                  const PlannerOptions& options, std::size_t first_leg = 0,
                  Currents currents = Currents::of_realizations);

  /// The policies of the legs from `first_leg` on, (leg less first_leg), for who is at `from`, and
  /// what solving took; `policies` keep their memory. Errors: those of the levels and of counting;
  /// InputError where a value is too large for float32. Requires from.level ≤ mission.last.
  ReachableReport solve(LevelSource& levels, const StartState& from,
                        std::vector<ReachablePolicy>& policies, Progress& progress);

 private:
  const EnvironmentInfo& info_;
  const PlanningProblem problem_;
  LegsReachFinder finder_;
  CpuLevelSolver solver_;
};

}  // namespace tidewise
