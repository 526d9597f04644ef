#include "mdp/file/prism_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "base/error.h"
#include "mdp/text/file_text.h"
#include "mdp/text/line_reader.h"
#include "mdp/text/row_limit.h"

namespace tidewise::mdp {
namespace {

/// The words of lines, each taken as what it must be.
class PrismLines {
 public:
  explicit PrismLines(ByteStream& bytes) : lines_(bytes) {}

  bool next() {
    if (!lines_.next()) return false;
    rest_ = lines_.text();
    return true;
  }
  std::int64_t number() const { return lines_.number(); }
  [[noreturn]] void refuse(const std::string& why) const { lines_.refuse(why); }
  [[noreturn]] void refuse_whole(const std::string& why) const {
    throw InputError(fmt::format("{}: {}", lines_.name(), why));
  }

  bool is_done() const { return trimmed(rest_).empty(); }
  std::string_view word(const char* what) {
    const std::string_view word = take_word(rest_);
    if (word.empty()) refuse(fmt::format("{} lacks the {}", in_quotes(lines_.text()), what));
    return word;
  }
  void require_done() {
    if (is_done()) return;
    refuse(fmt::format("{} is one word too many", in_quotes(take_word(rest_))));
  }
  std::int64_t count(const char* what) {
    const std::string_view text = word(what);
    const auto value = to_integer(text);
    if (!value || *value < 0) {
      refuse(fmt::format("the {} {} is no integer from 0 on", what, in_quotes(text)));
    }
    return *value;
  }
  std::int32_t index(const char* what, std::int64_t end) {
    const std::int64_t value = count(what);
    if (value >= end) refuse(fmt::format("the {} is {}, and there are {}", what, value, end));
    return static_cast<std::int32_t>(value);
  }
  /// A number, also as a fraction, as PRISM's exact engines write them.
  double value(const char* what) {
    const std::string_view text = word(what);
    const auto bar = text.find('/');
    const auto above = to_number(text.substr(0, bar));
    const auto below =
        bar == std::string_view::npos ? std::optional(1.0) : to_number(text.substr(bar + 1));
    if (!above || !below || *below == 0) {
      refuse(fmt::format("the {} {} is no number", what, in_quotes(text)));
    }
    return *above / *below;
  }
  /// The numbers of a header, two or three.
  std::vector<std::int64_t> header(const char* form) {
    if (!next()) refuse_whole(fmt::format("is empty; its first line is {}", form));
    std::vector<std::int64_t> counts;
    while (!is_done()) counts.push_back(count("count"));
    return counts;
  }
  std::string_view rest() const { return rest_; }

 private:
  LineReader lines_;
  std::string_view rest_;
};

constexpr std::int64_t most_index = std::numeric_limits<std::int32_t>::max() - 1;

void require_count(const PrismLines& lines, const char* what, std::int64_t claimed,
                   std::int64_t found) {
  if (claimed == found) return;
  lines.refuse_whole(
      fmt::format("its header claims {} {}, and {} are there; is it whole?", claimed, what, found));
}

/// Ascending by state and choice: a choice's lines stand together.
void begin_choice(const PrismLines& lines, PrismTransitions& table, std::int32_t state,
                  std::int32_t choice) {
  if (!table.choices.empty()) {
    const auto& last = table.choices.back();
    if (std::tie(last.state, last.choice) == std::tie(state, choice)) return;
    if (std::tie(last.state, last.choice) > std::tie(state, choice)) {
      lines.refuse(
          fmt::format("state {}, choice {} comes after state {}, choice {}; sort the lines "
                      "by both",
                      state, choice, last.state, last.choice));
    }
  }
  table.choices.push_back(
      {state, choice, static_cast<std::int64_t>(table.successor.size()), lines.number(), -1});
  table.action_count = std::max(table.action_count, choice + 1);
}

void name_choice(const PrismLines& lines, PrismTransitions& table, std::string_view name,
                 std::unordered_map<std::string, std::int32_t>& known) {
  const auto next = static_cast<std::int32_t>(table.action_names.size());
  const auto [found, is_new] = known.try_emplace(std::string(name), next);
  if (is_new) table.action_names.emplace_back(name);
  std::int32_t& action = table.choices.back().action;
  if (action >= 0 && action != found->second) {
    lines.refuse(fmt::format("the choice has the action {} here and {} before", in_quotes(name),
                             in_quotes(table.action_names[static_cast<std::size_t>(action)])));
  }
  action = found->second;
}

}  // namespace

PrismTransitions read_prism_transitions(ByteStream& bytes) {
  PrismLines lines(bytes);
  const auto header = lines.header("'states choices transitions'");
  if (header.size() != 2 && header.size() != 3) {
    lines.refuse(
        fmt::format("the header has {} numbers; it is 'states choices transitions', or "
                    "'states transitions' of a Markov chain",
                    header.size()));
  }
  PrismTransitions table;
  table.is_chain = header.size() == 2;
  table.state_count = header[0];
  if (table.state_count < 1 || table.state_count > most_index) {
    lines.refuse(fmt::format("the header claims {} states; give from 1 to {}", table.state_count,
                             most_index));
  }
  std::unordered_map<std::string, std::int32_t> known_actions;
  while (lines.next()) {
    const std::int32_t state = lines.index("state", table.state_count);
    const std::int32_t choice = table.is_chain ? 0 : lines.index("choice", most_index);
    const std::int32_t successor = lines.index("successor", table.state_count);
    const double probability = lines.value("probability");
    if (!(probability >= 0 && probability <= 1 + probability_tolerance)) {
      lines.refuse(fmt::format("{} is no probability; give one from 0 to 1", probability));
    }
    begin_choice(lines, table, state, choice);
    if (!lines.is_done()) name_choice(lines, table, lines.word("action"), known_actions);
    lines.require_done();
    table.successor.push_back(successor);
    table.probability.push_back(probability);
  }
  const auto choices = static_cast<std::int64_t>(table.choices.size());
  const auto transitions = static_cast<std::int64_t>(table.successor.size());
  if (!table.is_chain) require_count(lines, "choices", header[1], choices);
  require_count(lines, "transitions", header.back(), transitions);
  require_rows_in_proportion(bytes.name(), table.state_count, table.action_count, choices);
  table.choices.push_back({static_cast<std::int32_t>(table.state_count), 0, transitions, 0, -1});
  return table;
}

std::vector<PrismReward> read_prism_transition_rewards(ByteStream& bytes,
                                                       const PrismTransitions& transitions) {
  PrismLines lines(bytes);
  const auto header = lines.header("'states choices rewards'");
  const auto choices = static_cast<std::int64_t>(transitions.choices.size()) - 1;
  const std::size_t wanted = transitions.is_chain ? 2 : 3;
  if (header.size() != wanted || header[0] != transitions.state_count ||
      (!transitions.is_chain && header[1] != choices)) {
    lines.refuse(fmt::format("the header is not that of the .tra, with {} states and {} choices",
                             transitions.state_count, choices));
  }
  std::vector<PrismReward> rewards;
  while (lines.next()) {
    PrismReward one;
    one.state = lines.index("state", transitions.state_count);
    one.choice = transitions.is_chain ? 0 : lines.index("choice", transitions.action_count);
    one.successor = lines.index("successor", transitions.state_count);
    one.reward = lines.value("reward");
    one.line = lines.number();
    lines.require_done();
    rewards.push_back(one);
  }
  require_count(lines, "rewards", header.back(), static_cast<std::int64_t>(rewards.size()));
  const auto place = [](const PrismReward& one) {
    return std::tie(one.state, one.choice, one.successor);
  };
  const auto before = [&](const auto& a, const auto& b) { return place(a) < place(b); };
  std::stable_sort(rewards.begin(), rewards.end(), before);
  for (std::size_t n = 1; n < rewards.size(); ++n) {
    if (place(rewards[n - 1]) != place(rewards[n])) continue;
    throw InputError(fmt::format("{}: line {}: the transition has a reward on line {} already",
                                 bytes.name(), rewards[n].line, rewards[n - 1].line));
  }
  return rewards;
}

std::vector<double> read_prism_state_rewards(ByteStream& bytes, std::int64_t state_count) {
  PrismLines lines(bytes);
  const auto header = lines.header("'states rewards'");
  if (header.size() != 2 || header[0] != state_count) {
    lines.refuse(fmt::format("the header is not that of the .tra, with {} states", state_count));
  }
  std::vector<double> rewards(static_cast<std::size_t>(state_count), 0);
  std::vector<std::uint8_t> seen(rewards.size(), 0);
  std::int64_t count = 0;
  while (lines.next()) {
    const auto state = static_cast<std::size_t>(lines.index("state", state_count));
    rewards[state] = lines.value("reward");
    lines.require_done();
    if (seen[state] != 0) lines.refuse(fmt::format("state {} has a reward already", state));
    seen[state] = 1;
    ++count;
  }
  require_count(lines, "rewards", header[1], count);
  return rewards;
}

std::vector<StateLabel> read_prism_labels(ByteStream& bytes, std::int64_t state_count) {
  PrismLines lines(bytes);
  if (!lines.next()) lines.refuse_whole("is empty; its first line is such as 0=\"init\"");
  std::vector<StateLabel> labels;
  std::unordered_map<std::int64_t, std::size_t> place_of;  // of the number in the file
  while (!lines.is_done()) {
    const std::string_view word = lines.word("label");
    const auto equals = word.find('=');
    const std::string_view name =
        equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
    if (name.size() < 3 || name.front() != '"' || name.back() != '"' ||
        !is_plain_index(word.substr(0, equals))) {
      lines.refuse(fmt::format("{} declares no label; 0=\"init\" does", in_quotes(word)));
    }
    if (!place_of.try_emplace(*to_integer(word.substr(0, equals)), labels.size()).second) {
      lines.refuse(fmt::format("{} declares a number a second time", in_quotes(word)));
    }
    labels.push_back({std::string(name.substr(1, name.size() - 2)), {}});
  }
  while (lines.next()) {
    std::string_view word = lines.word("state");
    if (!word.ends_with(':'))
      lines.refuse(fmt::format("{} is not a state and a colon", in_quotes(word)));
    word.remove_suffix(1);
    const auto state = to_integer(word);
    if (!state || *state < 0 || *state >= state_count) {
      lines.refuse(
          fmt::format("{} is no state, of which there are {}", in_quotes(word), state_count));
    }
    while (!lines.is_done()) {
      const auto found = place_of.find(lines.count("label"));
      if (found == place_of.end()) lines.refuse("a label is not declared in the first line");
      labels[found->second].states.push_back(static_cast<std::int32_t>(*state));
    }
  }
  for (StateLabel& label : labels) {
    std::sort(label.states.begin(), label.states.end());
    label.states.erase(std::unique(label.states.begin(), label.states.end()), label.states.end());
  }
  return labels;
}

}  // namespace tidewise::mdp
