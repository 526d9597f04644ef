#pragma once

#include <optional>
#include <vector>

#include "mdp/average/loop_gains.h"
#include "mdp/graph/collapsed_process.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// A transformation of a process whose loops have gain 0 but rewards of both signs. Its rewards are
/// r + P h − h with h = LoopGains::shift. Its value is V − h, because every policy that terminates
/// reaches states with h = 0. Rows whose transformed reward is exactly 0 form free loops; these are
/// collapsed, and every policy must leave them.
template <class Real>
class LevelledProcess {
 public:
  /// Borrows both; requires loops.shift.
  LevelledProcess(const RewardRows<Real>& rows, const LoopGains& loops);
  LevelledProcess(const LevelledProcess&) = delete;
  LevelledProcess& operator=(const LevelledProcess&) = delete;

  /// The rows of the process to be solved.
  const RewardRows<Real>& rows() const { return *rows_; }
  /// Transforms its solution back: value and bounds of V, and whether the bounds meet the
  /// tolerance. `excess`: the factor by which the bounds are too far apart.
  ProcessSolution<Real> expanded(const SolveOptions& options, ProcessSolution<Real> solution,
                                 double& excess) const;

 private:
  const LoopGains& loops_;
  DecisionProcess<Real> process_;
  ShiftedRewards rewards_;
  CollapsedProcess<Real> collapsed_;
  std::optional<RewardRows<Real>> rows_;
};

}  // namespace tidewise::mdp
