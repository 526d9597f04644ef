#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Σ p r of a row, in the order of RowWriter.
template <class Real>
double expected_reward(const DecisionProcess<Real>& process, std::int64_t row,
                       const std::vector<Real>& entry_reward) {
  double sum = 0;
  for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
    sum += double(process.probability[n]) * double(entry_reward[n]);
  }
  return sum;
}

/// The whole reward of each transition of a row, for formats that only have rewards of transitions:
/// the row's own reward is added to each.
template <class Real>
class RowRewards {
 public:
  RowRewards(const DecisionProcess<Real>& process, std::int64_t row) : process_(process) {
    const double reward = double(process.reward[row]);
    if (process.entry_reward.empty()) {
      independent_reward_ = static_cast<Real>(reward);
      return;
    }
    const Real expected = static_cast<Real>(expected_reward(process, row, process.entry_reward));
    // Rewards of transitions whose expectation is exactly the row's reward are kept.
    if (expected == static_cast<Real>(reward)) return;
    independent_reward_ =
        static_cast<Real>(reward - expected_reward(process, row, process.entry_reward));
  }

  Real of_entry(std::int64_t entry) const {
    return process_.entry_reward.empty() ? independent_reward_
                                         : process_.entry_reward[entry] + independent_reward_;
  }

  /// The row's reward that a reader computes from of_entry().
  Real read_back(std::int64_t row) const {
    double sum = 0;
    for (auto n = process_.row_begin[row]; n < process_.row_begin[row + 1]; ++n) {
      sum += double(process_.probability[n]) * double(of_entry(n));
    }
    return static_cast<Real>(sum);
  }

 private:
  const DecisionProcess<Real>& process_;
  Real independent_reward_ = 0;
};

}  // namespace tidewise::mdp
