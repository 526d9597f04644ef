#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "solver/evaluate/forward_propagation.h"
#include "solver/evaluate/policy_sharing.h"
#include "solver/induction/level_solver.h"
#include "solver/policy/policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// The probability mass of a mission whose actions are held: what an action carries is a front of
/// its own from one decision to the next, and all fronts are counted together.
class HeldFronts {
 public:
  /// All of it must outlive this object. Requires a mission that passes no places.
  HeldFronts(const EnvironmentInfo& info, const PlanningProblem& problem,
             const PolicySource& policy);

  void start(View<const std::uint8_t> masked) { undecided_.start(masked); }
  bool under_way() const;
  void step(TimeLevel k, const LevelView& now, const LevelView& next, std::int32_t threads,
            const CountLevel& count);
  ExpectedOutcome close() const;

 private:
  /// What one action carries.
  struct Front {
    ForwardPropagation mass;
    SharedPolicy policy;  ///< that action everywhere
  };

  void decide(TimeLevel k);
  Front& front_of(std::int16_t action);

  const EnvironmentInfo& info_;
  PlanningProblem problem_;
  const PolicySource& policy_;
  std::vector<std::int16_t> action_;  // (y, x), of the level at work
  // What has no action: at a decision all of it, until each cell's goes to its action's front; what
  // departs a level late; and what stands in cells that have none.
  ForwardPropagation undecided_;
  std::map<std::int16_t, Front> fronts_;  // (action), of those that ever carried something
  PolicySharing sharing_;
  PolicyTransitions nothing_;  // where cells without an action lead
};

}  // namespace tidewise
