#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "env/environment_info.h"
#include "solver/induction/backward_induction.h"
#include "solver/reachable/level_source.h"
#include "solver/reachable/policy.h"
#include "solver/reachable/reach.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// What a solve of what is reachable did and how long it took.
struct ReachableReport {
  SolveReport solve;         ///< states: those of the reach; reading is in the times of the passes
  double reach_seconds = 0;  ///< finding where the vehicle can be

  ReachableReport& operator+=(const ReachableReport& other) {
    solve += other.solve;
    reach_seconds += other.reach_seconds;
    return *this;
  }
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
  ~ReachableSolver();

  /// The policies of the legs from `first_leg` on, (leg less first_leg), for who is at `from`, and
  /// what solving took; `policies` keep their memory. Errors: those of the levels and of counting;
  /// InputError where a value is too large for float32. Requires from.level ≤ mission.last.
  ReachableReport solve(LevelSource& levels, const StartState& from,
                        std::vector<ReachablePolicy>& policies, Progress& progress);
  /// The same of a mission without places to pass.
  ReachableReport solve(LevelSource& levels, const StartState& from, ReachablePolicy& policy,
                        Progress& progress);
  /// The same for who arrives at level `latest` at the latest, which takes much less: of the cells
  /// that the vehicle can be in, those alone are solved from which the target may be met by then.
  /// What the others are worth is bounded from both sides and solved with either bound, and
  /// `policy` holds the states in which both come to the same bits: those are the whole plan's.
  /// Whether the one at `from` is among them is for the caller to see (ReachablePolicy::holds());
  /// if not, `latest` is too early for it. Where something is harvested, or actions are held, all
  /// cells are solved. Requires from.level < latest ≤ mission.last. Errors: as above.
  ReachableReport solve_arriving_by(LevelSource& levels, const StartState& from, TimeLevel latest,
                                    ReachablePolicy& policy, Progress& progress);

 private:
  class Pass;
  std::unique_ptr<Pass> pass_;
};

}  // namespace tidewise
