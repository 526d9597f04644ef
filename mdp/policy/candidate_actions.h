#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/process/value_bounds.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// Actions that may still become the best, for states with several of them.
struct ActionList {
  std::vector<std::int32_t> state = {};   ///< ascending, (n)
  std::vector<std::int64_t> begin = {0};  ///< begin of their actions, (n + 1)
  std::vector<std::int32_t> action = {};  ///< ascending within a state
};

/// Improvement over all actions and, in between, over the few that may still become the best. An
/// action whose shortfall exceeds γ times the range of value changes since then cannot be the best:
/// γ (P_a − P_b) ΔV lies within it. Source: Hastings and van Nunen, "The action elimination
/// algorithm for Markov decision processes", 1977 (temporary elimination).
template <class Real>
class CandidateActions {
 public:
  /// Borrows `process`.
  CandidateActions(const ProcessView<Real>& process, std::int32_t threads);

  /// next = T value over all actions, and the greedy actions for `value`, −1 in terminal states;
  /// all (state), two arrays. Returns the change of values. Stores the shortfall of each action.
  ValueChange improve(const Real* value, Real* next, std::vector<std::int32_t>& action);

  /// Actions whose last shortfall was at most `max_shortfall`; among all actions, or among those of
  /// a list. The first function gives up if there are too many; then is_too_long() is true.
  ActionList within(double max_shortfall) const;
  ActionList within(double max_shortfall, const ActionList& list) const;
  /// True if within() gave up because a list would save no work.
  static bool is_too_long(const ActionList& list) { return list.begin.empty(); }

  /// improve() over a list, in its states; next holds the new values of the other states, which
  /// keep their action. Returns the number of states whose action changed.
  std::int64_t improve_listed(const ActionList& list, const Real* value, Real* next,
                              std::vector<std::int32_t>& action);

 private:
  Real row_value(const Real* value, std::int64_t row) const;

  ProcessView<Real> process_;
  std::int32_t threads_;
  std::vector<Real> action_value_ = {};  // values of a list's actions, temporary
  Array<float>
      shortfall_;  // max Q − Q at the last improvement, (row); infinite if there is no action
};

}  // namespace tidewise::mdp
