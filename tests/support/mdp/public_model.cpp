#include "support/mdp/public_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "mdp/process/row_writer.h"
#include "support/shared_data.h"

namespace tidewise::test {
namespace {

std::vector<std::istringstream> lines_of(std::filesystem::path path, const char* extension) {
  std::ifstream file(path.replace_extension(extension));
  std::vector<std::istringstream> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') lines.emplace_back(line);
  }
  return lines;
}

/// Reads lines such as 0="init" 1="finished" and 0: 0 1.
void read_labels(std::vector<std::istringstream> lines, mdp::DecisionProcess<double>& process) {
  for (std::string word; lines[0] >> word;) {
    const std::size_t quote = word.find('"');
    process.labels.push_back({word.substr(quote + 1, word.size() - quote - 2), {}});
  }
  for (std::size_t n = 1; n < lines.size(); ++n) {
    std::int32_t state = 0;
    char colon = 0;
    lines[n] >> state >> colon;
    for (std::size_t label = 0; lines[n] >> label;) {
      process.labels[label].states.push_back(state);
    }
  }
}

/// Adds a label of the finished states that have the label `other`, or of those that lack it.
void add_label(mdp::DecisionProcess<double>& process, const char* name, const char* other,
               bool has_other) {
  const auto states_of = [&](std::string_view label) {
    return std::find_if(process.labels.begin(), process.labels.end(),
                        [&](const mdp::StateLabel& candidate) { return candidate.name == label; })
        ->states;
  };
  mdp::StateLabel added{name, {}};
  const std::vector<std::int32_t> other_states = states_of(other);
  for (const std::int32_t state : states_of("finished")) {
    if (std::binary_search(other_states.begin(), other_states.end(), state) == has_other) {
      added.states.push_back(state);
    }
  }
  process.labels.push_back(std::move(added));
}

}  // namespace

std::optional<mdp::DecisionProcess<double>> public_model(const std::string& name) {
  const auto path = shared_data("mdp/" + name + ".tra");
  if (!path) return std::nullopt;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<mdp::Transition>> rows;
  std::int32_t states = 0;
  std::int32_t actions = 0;
  auto transitions = lines_of(*path, ".tra");
  transitions[0] >> states;
  for (std::size_t n = 1; n < transitions.size(); ++n) {
    std::pair<std::int32_t, std::int32_t> row;
    mdp::Transition to;
    transitions[n] >> row.first >> row.second >> to.successor >> to.probability;
    rows[row].push_back(to);
    actions = std::max(actions, row.second + 1);
  }
  std::vector<double> state_reward(static_cast<std::size_t>(states));
  auto state_lines = lines_of(*path, ".srew");
  for (std::size_t n = 1; n < state_lines.size(); ++n) {
    std::size_t state = 0;
    state_lines[n] >> state;
    state_lines[n] >> state_reward.at(state);
  }
  auto transition_lines = lines_of(*path, ".trew");
  for (std::size_t n = 1; n < transition_lines.size(); ++n) {
    std::pair<std::int32_t, std::int32_t> row;
    std::int32_t successor = 0;
    transition_lines[n] >> row.first >> row.second >> successor;
    for (mdp::Transition& to : rows.at(row)) {
      if (to.successor == successor) transition_lines[n] >> to.reward;
    }
  }
  mdp::RowWriter<double> writer(states, actions, true);
  for (std::int32_t state = 0; state < states; ++state) {
    for (std::int32_t action = 0; action < actions; ++action) {
      EXPECT_EQ(writer.add_row(rows[{state, action}], state_reward[std::size_t(state)]), "");
    }
  }
  mdp::DecisionProcess<double> process = writer.finish();
  read_labels(lines_of(*path, ".lab"), process);
  if (name.starts_with("consensus")) {
    add_label(process, "finished_with_1", "all_coins_equal_1", true);
    add_label(process, "finished_apart", "agree", false);
  }
  process.initial_state = process.labels.front().states.front();
  return process;
}

}  // namespace tidewise::test
