#pragma once

#include <cstdint>
#include <vector>

#include "mdp/learning/agent.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// All that Q-learning begins with, in host memory: the same for host and device.
template <class Real>
class LearningPlan {
 public:
  /// Borrows `process`. Errors: InputError for options that cannot be.
  LearningPlan(const DecisionProcess<Real>& process, const QLearningOptions& options);

  /// False where every state is terminal.
  bool has_work() const { return !starts.empty(); }
  /// What a round reads besides the arrays below, whose views the caller puts in.
  LearningRound<Real> round() const;
  /// What `table` has come to: value = max Q and the action that has it, over the rows that were
  /// visited; of a state never visited the value that it began with and its first action.
  ProcessSolution<Real> solution(const std::vector<Real>& table, std::vector<std::int64_t> visits,
                                 const std::vector<LearningAgent>& agents) const;

  std::vector<Real> row_reward;            ///< Simulator::row_reward
  std::vector<Real> first_table;           ///< Q at first, (row)
  std::vector<std::int32_t> starts;        ///< LearningRound::starts
  std::vector<std::uint64_t> exploration;  ///< LearningRound::exploration
  std::vector<LearningAgent> first_agents;
  std::int64_t stage_rounds = 1;
  int fixed_point_bits = 0;  ///< of an error, below one: QTable::to_fixed = 2^bits

 private:
  const DecisionProcess<Real>& process_;
  QLearningOptions options_;
};

/// Rounds between two words to `progress`, and of one launch on a device.
inline constexpr std::int64_t rounds_at_once = 1000;

}  // namespace tidewise::mdp
