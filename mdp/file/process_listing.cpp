#include "mdp/file/process_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/process/row_writer.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

/// Refuses a process with many more rows, states × actions, than the `listed` actions of its file
/// need, because a few lines that declare a billion states must not take the memory for them.
/// `place`: file, and line if known. Errors: InputError.
void require_rows_in_proportion(const std::string& place, std::int64_t states, std::int64_t actions,
                                std::int64_t listed) {
  constexpr std::int64_t max_states = std::numeric_limits<std::int32_t>::max() - 1;
  if (states > max_states || actions > max_states) {
    throw input_error(errors::rows_too_many, place, states, actions, max_states);
  }
  constexpr std::int64_t always_allowed = 1'000'000;
  constexpr std::int64_t max_rows_per_action = 1024;
  if (states * actions <= always_allowed) return;
  if (states * actions / max_rows_per_action <= listed) return;
  throw input_error(errors::rows_more_than_listed, place, states, actions, listed);
}

}  // namespace

std::int32_t IdTable::place_of(std::string_view id) {
  const std::int32_t next = size();
  if (is_plain_index(id)) {
    const std::int64_t number = *to_integer(id);
    const auto [entry, is_new] = place_of_number_.try_emplace(number, next);
    if (is_new) {
      ids_.push_back(number);
      greatest_ = std::max(greatest_, number);
    }
    return entry->second;
  }
  const auto [entry, is_new] = place_of_word_.try_emplace(std::string(id), next);
  if (is_new) {
    words_.emplace_back(id);
    ids_.push_back(-static_cast<std::int64_t>(words_.size()));
  }
  return entry->second;
}

std::string IdTable::id(std::int32_t place) const {
  const std::int64_t id = ids_[place];
  return id >= 0 ? std::to_string(id) : words_[-1 - id];
}

template <class Real>
ProcessListing<Real>::ProcessListing(std::string file, bool keep_rewards)
    : file_(std::move(file)), keep_rewards_(keep_rewards) {}

template <class Real>
void ProcessListing<Real>::refuse(std::int64_t line, const std::string& why) const {
  throw InputError(fmt::format("{}: line {}: {}", file_, line, why));
}

template <class Real>
std::int64_t ProcessListing<Real>::first_action(std::int64_t state) const {
  const auto at = static_cast<std::size_t>(state);
  return at < states_.size() ? states_[at].first_action
                             : static_cast<std::int64_t>(actions_.size());
}

template <class Real>
std::int64_t ProcessListing<Real>::first_transition(std::int64_t action) const {
  const auto at = static_cast<std::size_t>(action);
  return at < actions_.size() ? actions_[at].first_transition
                              : static_cast<std::int64_t>(successor_.size());
}

template <class Real>
void ProcessListing<Real>::declare_action(std::string_view id, std::string_view description,
                                          std::int64_t line) {
  const std::int32_t known_count = action_ids_.size();
  if (action_ids_.place_of(id) < known_count) {
    refuse(line, error_text(errors::listed_action_declared_twice, in_quotes(id)));
  }
  descriptions_.emplace_back(description);
  last_state_.push_back(-1);
}

template <class Real>
void ProcessListing<Real>::describe_action(std::string_view description) {
  if (descriptions_.back().empty()) descriptions_.back() = description;
}

template <class Real>
void ProcessListing<Real>::close_action() const {
  if (actions_.empty()) return;
  const Action& last = actions_.back();
  if (last.first_transition == static_cast<std::int64_t>(successor_.size())) {
    refuse(last.line,
           error_text(errors::listed_action_leads_nowhere, in_quotes(action_ids_.id(last.place))));
  }
}

template <class Real>
void ProcessListing<Real>::begin_state(std::string_view id, double value, std::int64_t line) {
  close_action();
  const std::int32_t place = state_ids_.place_of(id);
  const auto at = static_cast<std::size_t>(place);
  if (at == declared_.size()) {
    declared_.push_back(-1);
    first_mention_.push_back(line);
  }
  if (declared_[at] >= 0) {
    refuse(line, error_text(errors::listed_state_twice, in_quotes(id),
                            states_[static_cast<std::size_t>(declared_[at])].line));
  }
  declared_[at] = static_cast<std::int64_t>(states_.size());
  states_.push_back({place, value, static_cast<std::int64_t>(actions_.size()), line});
}

template <class Real>
void ProcessListing<Real>::begin_action(std::string_view id, std::int64_t line) {
  if (first_action(static_cast<std::int64_t>(states_.size()) - 1) <
      static_cast<std::int64_t>(actions_.size())) {
    close_action();
  }
  const std::int32_t place = action_ids_.place_of(id);
  const auto at = static_cast<std::size_t>(place);
  if (at == last_state_.size()) {
    if (!descriptions_.empty()) {
      refuse(line,
             error_text(errors::listed_action_undeclared, in_quotes(id), descriptions_.size()));
    }
    last_state_.push_back(-1);
  }
  const auto state = static_cast<std::int64_t>(states_.size()) - 1;
  if (last_state_[at] == state) {
    refuse(line, error_text(errors::listed_action_twice, in_quotes(id),
                            in_quotes(state_ids_.id(states_.back().place))));
  }
  last_state_[at] = state;
  actions_.push_back({place, static_cast<std::int64_t>(successor_.size()), line});
}

template <class Real>
void ProcessListing<Real>::add_transition(std::string_view successor, double probability,
                                          double reward, std::int64_t line) {
  if (!(probability >= 0 && probability <= 1 + probability_tolerance)) {
    refuse(line, error_text(errors::probability_invalid, probability));
  }
  if (!std::isfinite(static_cast<Real>(reward))) {
    refuse(line, error_text(errors::listed_reward_too_large, reward));
  }
  const std::int32_t place = state_ids_.place_of(successor);
  if (static_cast<std::size_t>(place) == declared_.size()) {
    declared_.push_back(-1);
    first_mention_.push_back(line);
  }
  successor_.push_back(place);
  probability_.push_back(static_cast<Real>(probability));
  reward_.push_back(static_cast<Real>(reward));
}

template <class Real>
bool ProcessListing<Real>::states_are_numbered() const {
  return state_ids_.are_numbers() && state_ids_.greatest() + 1 == state_ids_.size();
}

template <class Real>
std::vector<std::int32_t> ProcessListing<Real>::number_actions(std::int32_t& action_count) const {
  const std::int32_t ids = action_ids_.size();
  std::vector<std::int32_t> number(static_cast<std::size_t>(ids));
  for (std::int32_t place = 0; place < ids; ++place) number[place] = place;
  const auto rows = [&](std::int64_t actions) {
    return actions * static_cast<std::int64_t>(states_.size());
  };
  constexpr std::int64_t max_rows_per_action = 16;
  const std::int64_t max = std::max<std::int64_t>(
      max_rows_per_action * static_cast<std::int64_t>(actions_.size()), 1 << 20);
  const bool is_declared = !descriptions_.empty();
  const std::int64_t max_number = is_declared ? ids : max_rows_per_action + 4 * std::int64_t{ids};
  if (action_ids_.are_numbers() && action_ids_.greatest() < max_number &&
      rows(action_ids_.greatest() + 1) <= max) {
    for (std::int32_t place = 0; place < ids; ++place) {
      number[place] = static_cast<std::int32_t>(action_ids_.number(place));
    }
    action_count = static_cast<std::int32_t>(action_ids_.greatest() + 1);
  } else if (is_declared || rows(ids) <= max) {
    action_count = ids;
  } else {
    number.clear();
    std::int64_t largest = 0;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      const auto at = static_cast<std::int64_t>(s);
      largest = std::max(largest, first_action(at + 1) - first_action(at));
    }
    action_count = static_cast<std::int32_t>(largest);
  }
  action_count = std::max(action_count, 1);  // if all states are terminal
  return number;
}

template <class Real>
void ProcessListing<Real>::name_actions(const std::vector<std::int32_t>& number_of_action,
                                        DecisionProcess<Real>& process) const {
  const bool has_descriptions =
      std::any_of(descriptions_.begin(), descriptions_.end(),
                  [](const std::string& description) { return !description.empty(); });
  bool is_number = action_ids_.are_numbers() && !has_descriptions;
  for (std::size_t place = 0; is_number && place < number_of_action.size(); ++place) {
    is_number = number_of_action[place] == action_ids_.number(static_cast<std::int32_t>(place));
  }
  if (number_of_action.empty() || is_number) return;
  process.action_names.resize(static_cast<std::size_t>(process.action_count));
  for (std::size_t place = 0; place < number_of_action.size(); ++place) {
    const bool is_described = has_descriptions && !descriptions_[place].empty();
    process.action_names[number_of_action[place]] =
        is_described ? descriptions_[place] : action_ids_.id(static_cast<std::int32_t>(place));
  }
}

template <class Real>
DecisionProcess<Real> ProcessListing<Real>::finish() {
  close_action();
  if (states_.empty()) throw input_error(errors::listing_without_state, file_);
  for (std::size_t place = 0; place < declared_.size(); ++place) {
    if (declared_[place] >= 0) continue;
    refuse(first_mention_[place],
           error_text(errors::listed_successor_missing,
                      in_quotes(state_ids_.id(static_cast<std::int32_t>(place)))));
  }
  std::int32_t action_count = 1;
  const std::vector<std::int32_t> number_of_action = number_actions(action_count);
  const auto state_count = static_cast<std::int64_t>(states_.size());
  require_rows_in_proportion(file_, state_count, action_count,
                             static_cast<std::int64_t>(actions_.size()));
  // The number of each state, by its place.
  const bool is_numbered = states_are_numbered();
  const auto number_of = [&](std::int32_t place) {
    return static_cast<std::int32_t>(is_numbered ? state_ids_.number(place) : declared_[place]);
  };
  std::vector<std::int32_t> listed(states_.size());  // (state): its index in states_
  bool in_order = true;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const auto number = static_cast<std::size_t>(number_of(states_[k].place));
    listed[number] = static_cast<std::int32_t>(k);
    in_order = in_order && number == k;
  }

  RowWriter<Real> writer(static_cast<std::int32_t>(state_count), action_count, keep_rewards_);
  writer.reserve(static_cast<std::int64_t>(successor_.size()));
  std::vector<std::int64_t> action_at(static_cast<std::size_t>(action_count));
  std::vector<Transition> row;
  for (const std::int32_t k : listed) {
    std::fill(action_at.begin(), action_at.end(), -1);
    const std::int64_t first = first_action(k);
    for (std::int64_t n = first; n < first_action(k + 1); ++n) {
      const auto place = static_cast<std::size_t>(actions_[n].place);
      action_at[number_of_action.empty() ? n - first : number_of_action[place]] = n;
    }
    for (const std::int64_t n : action_at) {
      row.clear();
      const std::int64_t end = n < 0 ? 0 : first_transition(n + 1);
      for (std::int64_t t = n < 0 ? 0 : first_transition(n); t < end; ++t) {
        const auto at = static_cast<std::size_t>(t);
        row.push_back({number_of(successor_[at]), double(probability_[at]), double(reward_[at])});
      }
      const std::string fault = writer.add_row(row);
      if (!fault.empty()) {
        const Action& action = actions_[n];
        const auto state = static_cast<std::size_t>(k);
        refuse(action.line,
               error_text(errors::row_invalid, in_quotes(state_ids_.id(states_[state].place)),
                          in_quotes(action_ids_.id(action.place)), fault));
      }
      if (in_order && n >= 0) {
        const auto end_index = static_cast<std::size_t>(end);
        successor_.release_before(end_index);
        probability_.release_before(end_index);
        reward_.release_before(end_index);
      }
    }
  }
  DecisionProcess<Real> process = writer.finish();
  bool has_value = false;
  for (std::size_t k = 0; k < states_.size(); ++k) has_value = has_value || states_[k].value != 0;
  for (const std::int32_t k : listed) {
    const State& state = states_[k];
    if (has_value) process.initial_value.push_back(static_cast<Real>(state.value));
    if (!is_numbered) process.state_names.push_back(state_ids_.id(state.place));
  }
  name_actions(number_of_action, process);
  return process;
}

template class ProcessListing<float>;
template class ProcessListing<double>;

}  // namespace tidewise::mdp
