#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/borrowable_array.h"
#include "mdp/process/scaled_rows.h"

namespace tidewise::mdp {

/// A named set of states in a model file, such as PRISM's "init" or "finished".
struct StateLabel {
  std::string name;
  std::vector<std::int32_t> states;  ///< ascending
};

/// A finite Markov decision process with sparse transitions, as all solvers take it: compressed
/// sparse rows with the row number state · action_count + action. Solvers maximize rewards. `Real`:
/// float or double.
///
/// An empty row is an action that the state does not have; a state without actions is terminal.
/// Within a row successors ascend without repetition. require_sound() checks these properties.
template <class Real>
struct DecisionProcess {
  std::int32_t state_count = 0;
  std::int32_t action_count = 0;                 ///< A: largest number of actions of a state
  BorrowableArray<std::int64_t> row_begin{0};    ///< first entry of each row, (row + 1)
  BorrowableArray<std::int32_t> successor = {};  ///< (entry)
  BorrowableArray<Real> probability = {};  ///< (entry); nearly sums to 1 per row, and is normalized
  BorrowableArray<Real> reward = {};       ///< expected immediate reward, (row)
  /// Reward of each transition, (entry), if known separately: its expectation over a row is
  /// `reward` less the part of the row that does not depend on the transition. Empty: unknown.
  /// Solvers only read `reward`; simulators and writers use this.
  std::vector<Real> entry_reward = {};
  /// Value of a terminal state, (state); of other states the initial value of iteration. Empty: 0.
  std::vector<Real> initial_value = {};
  double discount = 1;                         ///< γ, in [0, 1]
  std::int32_t initial_state = 0;              ///< the state whose value is reported first
  std::vector<std::string> state_names = {};   ///< (state), or empty: numbers
  std::vector<std::string> action_names = {};  ///< (row) or (action), or empty: numbers
  std::vector<StateLabel> labels = {};
  ScaledRows scaled = {};  ///< changes by scale_rows() or by the writer of the rows

  std::int64_t row_count() const { return std::int64_t{state_count} * action_count; }
  std::int64_t entry_count() const { return static_cast<std::int64_t>(successor.size()); }
  std::int64_t row(std::int32_t state, std::int32_t action) const {
    return std::int64_t{state} * action_count + action;
  }
  std::int32_t state_of(std::int64_t row) const {
    return static_cast<std::int32_t>(row / action_count);
  }
  std::int32_t action_of(std::int64_t row) const {
    return static_cast<std::int32_t>(row % action_count);
  }
  bool is_allowed(std::int64_t row) const { return row_begin[row] < row_begin[row + 1]; }
  /// Calls take(action, row) for each action of the state, ascending.
  template <class Take>
  void for_actions(std::int32_t state, const Take& take) const {
    for (std::int32_t action = 0; action < action_count; ++action) {
      const std::int64_t at = row(state, action);
      if (is_allowed(at)) take(action, at);
    }
  }
  /// True if the row leads with a probability above 0 to a state for which `predicate` returns
  /// true.
  template <class Predicate>
  bool may_lead(std::int64_t row, const Predicate& predicate) const {
    for (auto n = row_begin[row]; n < row_begin[row + 1]; ++n) {
      if (probability[n] > 0 && predicate(successor[n])) return true;
    }
    return false;
  }
  /// True if the state has no actions.
  bool is_terminal(std::int32_t state) const {
    return row_begin[row(state, 0)] == row_begin[row(state + 1, 0)];
  }
};

/// Allowed deviation of a row's sum from 1 before it is scaled, because files may have few digits.
inline constexpr double probability_tolerance = 1e-5;

/// Divides each row by its sum if that differs from 1 by more than rounding (scaled_rows.h), and
/// counts it in `scaled`. Copies borrowed probabilities only if there is such a row. Requires a
/// valid process.
template <class Real>
void scale_rows(DecisionProcess<Real>& process);

/// Refuses an invalid process: arrays of wrong lengths, rows that do not sum to 1, successors that
/// do not ascend or do not exist, and invalid probabilities or rewards. `name`: the process in the
/// message. Errors: InputError with state and action.
template <class Real>
void require_sound(const DecisionProcess<Real>& process, const std::string& name);

/// Converts the process to another precision, or copies it.
template <class To, class From>
DecisionProcess<To> convert(const DecisionProcess<From>& process);

}  // namespace tidewise::mdp
