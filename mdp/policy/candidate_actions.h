#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/process/value_bounds.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// Actions that may yet come to be the best, of the states that have a choice between several.
struct ActionList {
  std::vector<std::int32_t> state = {};   ///< ascending, (n)
  std::vector<std::int64_t> begin = {0};  ///< of their actions, (n + 1)
  std::vector<std::int32_t> action = {};  ///< ascending within a state
};

/// Improvement over all actions, and between two of those over the few that may yet come to be the
/// best. An action that falls short of the best by more than γ times the difference between the
/// greatest and the least that values have changed by since is not the best now: γ (P_a − P_b) ΔV
/// lies within it.
/// Source: Hastings and van Nunen, "The action elimination algorithm for Markov decision
/// processes", 1977 (elimination for a time).
template <class Real>
class CandidateActions {
 public:
  /// Borrows `process`.
  CandidateActions(const ProcessView<Real>& process, std::int32_t threads);

  /// next = T value over all actions, and the actions that are greedy for `value`, −1 in terminal
  /// states; all (state), two arrays. Returns how values changed. Remembers how far each action
  /// falls short.
  ValueChange improve(const Real* value, Real* next, std::vector<std::int32_t>& action);

  /// The actions that last fell short by no more than `reach`; of a list, or of all. `most`: gives
  /// up, with nothing, where there are more than this.
  ActionList within(double reach) const;
  ActionList within(double reach, const ActionList& list) const;
  /// Whether the first of these gave up: they are so many that a list is not worth while.
  static bool is_too_long(const ActionList& list) { return list.begin.empty(); }

  /// The same as improve() over a list, in its states; next holds what the other states come to,
  /// and they keep their action. Returns in how many states the action changed.
  std::int64_t improve_listed(const ActionList& list, const Real* value, Real* next,
                              std::vector<std::int32_t>& action);

 private:
  Real worth(const Real* value, std::int64_t row) const;

  ProcessView<Real> process_;
  std::int32_t threads_;
  std::vector<Real> worth_ = {};  // of a list's actions, for the moment
  Array<float>
      shortfall_;  // max Q − Q when last looked at, (row); infinite where there is no action
};

}  // namespace tidewise::mdp
