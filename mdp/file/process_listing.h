#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mdp/process/decision_process.h"
#include "mdp/text/chunked_vector.h"

namespace tidewise::mdp {

/// The ids that a file gives to states or actions, numbers or words, each with its place: the order
/// in which they first appear.
class IdTable {
 public:
  /// The place of `id`, the next one where it is new.
  std::int32_t place_of(std::string_view id);
  std::int32_t size() const { return static_cast<std::int32_t>(ids_.size()); }
  std::string id(std::int32_t place) const;
  /// Whether all ids are integers from 0 on, as programs write them.
  bool are_numbers() const { return words_.empty(); }
  /// The id as a number. Requires are_numbers().
  std::int64_t number(std::int32_t place) const { return ids_[place]; }
  /// The greatest number among the ids; −1 without one.
  std::int64_t greatest() const { return greatest_; }

 private:
  std::vector<std::int64_t> ids_;  // (place): a number, or −1 − n of words_[n]
  std::vector<std::string> words_;
  std::unordered_map<std::int64_t, std::int32_t> place_of_number_;
  std::unordered_map<std::string, std::int32_t> place_of_word_;
  std::int64_t greatest_ = -1;
};

/// A process as texts list it: a state, its actions, where each leads, then the next state; by ids
/// that are numbers or words, successors before or after they are listed themselves.
///
/// States become 0…S−1 by their ids where these are just that, else in the order in which they are
/// listed, with the ids as names. Actions become their ids where these are numbers, not much more
/// than there are; else their place among all action ids in order of appearance; and where these
/// would make far more rows than there are actions listed, their place within the state.
///
/// Errors of all calls: InputError "FILE: line N: why".
template <class Real>
class ProcessListing {
 public:
  /// `keep_rewards`: as RowWriter's.
  ProcessListing(std::string file, bool keep_rewards);

  /// Actions that are declared ahead have the numbers of their ids where these are 0…n−1, else of
  /// their order; no others may follow then. `description`: their name, or empty.
  void declare_action(std::string_view id, std::string_view description, std::int64_t line);
  /// Names the last declared action where it has no name yet. Requires one.
  void describe_action(std::string_view description);
  void begin_state(std::string_view id, double value, std::int64_t line);
  /// Requires a state.
  void begin_action(std::string_view id, std::int64_t line);
  /// Requires an action.
  void add_transition(std::string_view successor, double probability, double reward,
                      std::int64_t line);
  /// Requires that nothing is added after it.
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
  /// The number of each action place, or empty for the place within the state; sets action_count.
  std::vector<std::int32_t> number_actions(std::int32_t& action_count) const;
  void name_actions(const std::vector<std::int32_t>& number_of_action,
                    DecisionProcess<Real>& process) const;

  std::string file_;
  bool keep_rewards_;
  IdTable state_ids_;
  IdTable action_ids_;
  std::vector<std::string> descriptions_;    // (action place), where actions are declared
  std::vector<std::int64_t> declared_;       // (state place): its number among states_, or −1
  std::vector<std::int64_t> first_mention_;  // (state place): line
  std::vector<std::int64_t> last_state_;     // (action place): the last state that lists it
  ChunkedVector<State> states_;
  ChunkedVector<Action> actions_;
  ChunkedVector<std::int32_t> successor_;  // (transition), a state place
  ChunkedVector<Real> probability_;
  ChunkedVector<Real> reward_;
};

}  // namespace tidewise::mdp
