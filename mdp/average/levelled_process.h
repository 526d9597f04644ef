#pragma once

#include <optional>
#include <vector>

#include "mdp/average/loop_gains.h"
#include "mdp/graph/collapsed_process.h"
#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// A process whose loops gain nothing, though their rewards have both signs, in terms of another
/// value: with rewards r + P h − h, h = LoopGains::shift, it is worth V − h, since every policy
/// that ends comes to states whose h is 0. Rows that so bring nothing to the last bit make free
/// loops, which are collapsed, and must be left.
template <class Real>
class LevelledProcess {
 public:
  /// Borrows both; loops.shift is there.
  LevelledProcess(const RewardRows<Real>& rows, const LoopGains& loops);
  LevelledProcess(const LevelledProcess&) = delete;
  LevelledProcess& operator=(const LevelledProcess&) = delete;

  /// Those of the process that is to be solved.
  const RewardRows<Real>& rows() const { return *rows_; }
  /// What was found for that, of the process given: value and bounds of V, and whether these are as
  /// near as the options ask. `excess`: by how many times they are further apart.
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
