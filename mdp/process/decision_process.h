#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/borrowable_array.h"
#include "mdp/process/scaled_rows.h"

namespace tidewise::mdp {

/// The states that a model file gives a name to, such as PRISM's "init" or "finished".
struct StateLabel {
  std::string name;
  std::vector<std::int32_t> states;  ///< ascending
};

/// A finite Markov decision process with sparse transitions, in the form that every solver takes:
/// compressed sparse rows over rows state · action_count + action. Rewards are to be made as large
/// as possible. `Real`: float or double.
///
/// An empty row is an action that the state does not have; a state without any action is terminal.
/// Within a row successors ascend and none appears twice. What is not checked as it is made is
/// checked by require_sound().
template <class Real>
struct DecisionProcess {
  std::int32_t state_count = 0;
  std::int32_t action_count = 0;                 ///< A: the most that a state has
  BorrowableArray<std::int64_t> row_begin{0};    ///< first entry of each row, (row + 1)
  BorrowableArray<std::int32_t> successor = {};  ///< (entry)
  BorrowableArray<Real> probability = {};  ///< (entry); a row means these over their sum, 1 nearly
  BorrowableArray<Real> reward = {};       ///< expected immediate reward, (row)
  /// What each transition brings, (entry), where it is known apart: its expectation over a row is
  /// `reward` less what the row brings in any case. Empty: only `reward` is known. Solvers read
  /// `reward` alone; simulators and writers use this.
  std::vector<Real> entry_reward = {};
  /// What a terminal state is worth, (state); of other states it is the value that iteration begins
  /// with. Empty: 0.
  std::vector<Real> initial_value = {};
  double discount = 1;                         ///< γ, in [0, 1]
  std::int32_t initial_state = 0;              ///< the one whose value is reported first
  std::vector<std::string> state_names = {};   ///< (state), or empty: numbers
  std::vector<std::string> action_names = {};  ///< (row) or (action), or empty: numbers
  std::vector<StateLabel> labels = {};
  ScaledRows scaled = {};  ///< what scale_rows() did, or who wrote the rows

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
  /// Calls take(action, row) for each action that the state has, ascending.
  template <class Take>
  void for_actions(std::int32_t state, const Take& take) const {
    for (std::int32_t action = 0; action < action_count; ++action) {
      const std::int64_t at = row(state, action);
      if (is_allowed(at)) take(action, at);
    }
  }
  /// Whether the row leads with a probability above 0 to a state for which `is` returns true.
  template <class Is>
  bool may_lead(std::int64_t row, const Is& is) const {
    for (auto n = row_begin[row]; n < row_begin[row + 1]; ++n) {
      if (probability[n] > 0 && is(successor[n])) return true;
    }
    return false;
  }
  /// A state without actions.
  bool is_terminal(std::int32_t state) const {
    return row_begin[row(state, 0)] == row_begin[row(state + 1, 0)];
  }
};

/// How far the probabilities of a row may sum from one before they are made to: files carry few
/// digits.
inline constexpr double probability_tolerance = 1e-5;

/// Divides each row by its sum where that is not 1 but for rounding (scaled_rows.h), and counts it
/// in `scaled`. Borrowed probabilities are copied only where there is such a row. Requires a sound
/// process.
template <class Real>
void scale_rows(DecisionProcess<Real>& process);

/// Refuses a process whose arrays do not fit each other, whose rows do not sum to one, descend or
/// name a state twice or one that does not exist, or with a probability or reward that cannot be.
/// `name`: how the user knows it, for the one line. Errors: InputError naming state and action.
template <class Real>
void require_sound(const DecisionProcess<Real>& process, const std::string& name);

/// The same process in the other precision, or a copy.
template <class To, class From>
DecisionProcess<To> convert(const DecisionProcess<From>& process);

}  // namespace tidewise::mdp
