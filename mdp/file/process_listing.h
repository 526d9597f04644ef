#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mdp/process/decision_process.h"
#include "mdp/text/chunked_vector.h"

namespace tidewise::mdp {

/// The ids of states or actions in a file, numbers or words. The place of an id is its rank in
/// order of first appearance.
class IdTable {
 public:
  /// The place of `id`; adds it if it is new.
  std::int32_t place_of(std::string_view id);
  std::int32_t size() const { return static_cast<std::int32_t>(ids_.size()); }
  std::string id(std::int32_t place) const;
  /// True if all ids are non-negative integers.
  bool are_numbers() const { return words_.empty(); }
  /// The id as a number. Requires are_numbers().
  std::int64_t number(std::int32_t place) const { return ids_[place]; }
  /// The greatest id; −1 without one. Requires are_numbers().
  std::int64_t greatest() const { return greatest_; }

 private:
  std::vector<std::int64_t> ids_;  // (place): a number, or −1 − n of words_[n]
  std::vector<std::string> words_;
  std::unordered_map<std::int64_t, std::int32_t> place_of_number_;
  std::unordered_map<std::string, std::int32_t> place_of_word_;
  std::int64_t greatest_ = -1;
};

/// Builds a process from a text that lists a state, its actions, the successors of each, then the
/// next state. Ids are numbers or words, and successors may be listed as states later.
///
/// States become 0…S−1 by their ids if these are exactly those numbers, else in the order of the
/// list, with the ids as names. Actions become their ids if these are numbers and not much greater
/// than the number of actions; else their place among all action ids in order of appearance; if
/// that would give many more rows than actions are listed, their place within the state.
///
/// Errors of all calls: InputError "FILE: line N: why".
template <class Real>
class ProcessListing {
 public:
  /// `keep_rewards` is that of RowWriter.
  ProcessListing(std::string file, bool keep_rewards);

  /// Declares an action in advance. Declared actions are numbered by their ids if these are 0…n−1,
  /// else in their order; undeclared ones are then refused. `description`: its name, or empty.
  void declare_action(std::string_view id, std::string_view description, std::int64_t line);
  /// Names the last declared action if it has no name. Requires a declared action.
  void describe_action(std::string_view description);
  /// Begins a state, whose value is the first one of an iteration.
  void begin_state(std::string_view id, double value, std::int64_t line);
  /// Begins an action of the last state. Requires begin_state() before.
  void begin_action(std::string_view id, std::int64_t line);
  /// Adds a transition of the last action. Requires begin_action() before.
  void add_transition(std::string_view successor, double probability, double reward,
                      std::int64_t line);
  /// Returns the process. Requires that nothing is added afterwards.
  DecisionProcess<Real> finish();

 private:
  struct State {
    std::int32_t place = 0;  // in state_ids_
    double value = 0;
    std::int64_t first_action = 0;
    std::int64_t line = 0;
  };
  struct Action {
    std::int32_t place = 0;  // in action_ids_
    std::int64_t first_transition = 0;
    std::int64_t line = 0;
  };

  [[noreturn]] void refuse(std::int64_t line, const std::string& why) const;
  std::int64_t first_action(std::int64_t state) const;
  std::int64_t first_transition(std::int64_t action) const;
  void close_action() const;
  bool states_are_numbered() const;
  /// Numbers the action places and sets action_count; empty if actions are numbered within states.
  std::vector<std::int32_t> number_actions(std::int32_t& action_count) const;
  void name_actions(const std::vector<std::int32_t>& number_of_action,
                    DecisionProcess<Real>& process) const;

  std::string file_;
  bool keep_rewards_;
  IdTable state_ids_;
  IdTable action_ids_;
  std::vector<std::string> descriptions_;    // (action place), for declared actions
  std::vector<std::int64_t> declared_;       // (state place): its index in states_, or −1
  std::vector<std::int64_t> first_mention_;  // (state place): line
  std::vector<std::int64_t> last_state_;     // (action place): the last state that lists it
  ChunkedVector<State> states_;
  ChunkedVector<Action> actions_;
  ChunkedVector<std::int32_t> successor_;  // (transition), a state place
  ChunkedVector<Real> probability_;
  ChunkedVector<Real> reward_;
};

}  // namespace tidewise::mdp
