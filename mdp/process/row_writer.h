#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// One transition of a row before it is in place.
struct Transition {
  std::int32_t successor = 0;
  double probability = 0;
  double reward = 0;
};

/// Makes a process row by row, in order. Each row's transitions may come in any order; those that
/// lead to one state become one, with the sum of their probabilities and the mean of their rewards
/// by probability; those of probability 0 are left out. Rows that sum to 1 but for few digits are
/// made to (scaled_rows.h).
template <class Real>
class RowWriter {
 public:
  /// `keep_rewards`: also keep what each transition brings (DecisionProcess::entry_reward).
  RowWriter(std::int32_t state_count, std::int32_t action_count, bool keep_rewards = false);

  /// Makes room for this many entries.
  void reserve(std::int64_t entries);
  /// The row of the next action: `reward` in any case, and each transition's own by its
  /// probability. No transitions: the state does not have the action. Reorders `transitions`.
  /// Returns what is wrong with the row, e.g. "its probabilities sum to 0.9; they must to 1";
  /// empty where nothing is. Requires fewer than state_count · action_count rows before it.
  [[nodiscard]] std::string add_row(std::vector<Transition>& transitions, double reward = 0);
  /// The process, once all rows are there; rows that are missing at the end are empty ones.
  DecisionProcess<Real> finish();

 private:
  DecisionProcess<Real> process_;
  bool keep_rewards_;
};

}  // namespace tidewise::mdp
