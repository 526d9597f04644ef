#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A transition of a row under construction.
struct Transition {
  std::int32_t successor = 0;
  double probability = 0;
  double reward = 0;
};

/// Builds a process row by row, in order. Transitions of a row may be in any order; those to one
/// state are merged, with the sum of their probabilities and the mean of their rewards by
/// probability; those of probability 0 are dropped. Rows whose sum differs from 1 because of few
/// digits are scaled (scaled_rows.h).
template <class Real>
class RowWriter {
 public:
  /// `keep_rewards`: also stores rewards of transitions (DecisionProcess::entry_reward).
  RowWriter(std::int32_t state_count, std::int32_t action_count, bool keep_rewards = false);

  /// Reserves memory for this number of entries.
  void reserve(std::int64_t entries);
  /// Adds the row of the next action. `reward` is added to the transitions' expected reward.
  /// Without transitions the state does not have the action. Reorders `transitions`. Returns an
  /// error in the row, such as "its probabilities sum to 0.9; they must sum to 1", or "". Requires
  /// fewer than state_count · action_count previous rows.
  [[nodiscard]] std::string add_row(std::vector<Transition>& transitions, double reward = 0);
  /// Returns the process. Missing rows at the end are empty.
  DecisionProcess<Real> finish();

 private:
  DecisionProcess<Real> process_;
  bool keep_rewards_;
};

}  // namespace tidewise::mdp
